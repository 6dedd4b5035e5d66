"""Games for one: one engine, what is seen of it, what the player is asked, and a search for a solution."""
