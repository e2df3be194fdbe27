"""Telegram. In: `polling.py` or `webhook.py` hands each update to `hearing.py`, which brings it into the log.
Out: `post.py` carries letters from the outbox, in messages as `part.py` sends them; `buttons.py`, `menu.py` and
`notices.py` see to what stands beside the answers. `wire.py` is pure, `bot.py` the whole from start to end, and
`words.py` what only Telegram needs said.
"""

import os

os.environ.setdefault("PTB_TIMEDELTA", "true")  # its next version's times; without it python-telegram-bot warns
