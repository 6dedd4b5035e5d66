"""The values from which screens are drawn: a moment of a table, the choice, the keys, the look of a terminal."""
