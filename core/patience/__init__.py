"""Games for one player: one engine, their views and prompts, and a search for a solution."""
