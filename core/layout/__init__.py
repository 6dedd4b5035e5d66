"""Games in which tiles are laid to a layout: one engine, the values that configure it, and what a seat sees."""
