"""What happened, and how it is kept. Imports nothing of ours."""
