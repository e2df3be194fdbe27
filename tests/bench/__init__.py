"""How fast it is, measured: `make bench`. What is measured and what it means stands in README.md beside this."""
