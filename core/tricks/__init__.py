"""Trick games: one engine, their views and prompts."""
