"""What comes from outside, bent and broken: `make fuzz`. What is tried and what was found: README.md beside this."""
