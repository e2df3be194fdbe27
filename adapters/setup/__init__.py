"""`rollbook setup`: what a bot needs is asked for, tried at once, and written down.

`steps.py` is the order of it all, `telegram.py`, `matrix.py` and `allowed.py` are the questions, `options.py` is what is
given beforehand, `dialogue.py` how something is asked and told, `configuration.py` the TOML file, `service.py` the service
that starts with the machine, `words.py` every sentence. Until the last question is answered nothing is written.
"""
