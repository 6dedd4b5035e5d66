"""Games of combinations: a seat lays several tiles at once, and as many of the same class beat them."""
