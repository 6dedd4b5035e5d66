"""Tiles as pictures, on terminals that show them: what they look like, and how a terminal is told."""
