"""`rollbook setup`: what a bot needs is asked for, tried at once, and written down.

`steps.py` is the order of it all, `telegram.py`, `matrix.py`, `allowed.py`, `clock.py` the questions, `options.py` what
is given beforehand, `dialogue.py` how something is asked and told, `configuration.py` the TOML file, `service.py` the
service for the machine's start, `words.py` every sentence. Before the last question is answered nothing is written.
"""
