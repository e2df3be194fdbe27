"""Matrix: `wire.py` is pure, `bot.py` the loop, `words.py` what only Matrix needs said."""

import logging

logging.getLogger("nio").setLevel(logging.CRITICAL)  # it names people by their accounts; what matters we say
