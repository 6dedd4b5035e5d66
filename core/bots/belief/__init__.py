"""Beliefs: what may be where, from what one seat has seen, and samples of it."""
