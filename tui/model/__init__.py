"""The values that screens are drawn from: a moment of a table, the choice, the keys, the look of a terminal."""
