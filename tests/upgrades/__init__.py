"""Logs that older programs made, and whether this one plays on with them."""
