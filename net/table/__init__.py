"""A table: its seats, its clock, its matches and deals, and the snapshot that is stored."""
