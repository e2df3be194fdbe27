"""Telegram: `wire.py` is pure, `bot.py` the loop, `words.py` what only Telegram needs said."""

import os

os.environ.setdefault("PTB_TIMEDELTA", "true")  # its next version's times; without it python-telegram-bot warns
