"""Matrix: `wire.py` is pure, `bot.py` the loop, `words.py` what only Matrix needs said."""
