"""Sentences about events and about the present state of a table."""
