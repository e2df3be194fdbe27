"""`rollbook backup` and `rollbook restore`: a log copied while it is used, and a copy put in its place."""
