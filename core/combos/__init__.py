"""Games of combinations: several tiles are laid at once, and beaten by as many of the same class."""
