"""`python -m adapters` is `rollbook`."""

from adapters.cli import main

main()
