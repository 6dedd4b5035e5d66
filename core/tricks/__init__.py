"""Trick games: one engine, what a seat sees, and what a player is asked."""
