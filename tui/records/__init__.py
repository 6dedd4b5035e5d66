"""Recorded matches in files: reading, listing, statistics and exports."""
