"""What follows from what: decides and tells, pure. No clock, no chance, no platform, no SQLite."""
