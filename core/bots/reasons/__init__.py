"""Reasons: why a move is good, in the words and numbers of the game, from facts that its seat knows."""
