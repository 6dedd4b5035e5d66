"""Games of tricks: one engine, what a seat sees, and what a player is asked."""
