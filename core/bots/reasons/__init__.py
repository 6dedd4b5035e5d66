"""Reasons: why a move is a good one, in the words and numbers of the game, from nothing but what its seat knows."""
