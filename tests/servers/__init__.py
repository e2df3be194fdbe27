"""Servers that tests start for themselves, on loopback."""
