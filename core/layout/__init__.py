"""Games in which tiles are laid to a layout: one engine, the values it is set up with, and what a seat sees."""
