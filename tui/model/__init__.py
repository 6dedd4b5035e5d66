"""What a player has chosen so far, and the keys they choose with."""
