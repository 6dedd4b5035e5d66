"""Games for one player: an engine for all of them, the players' views and prompts, and a search for a solution."""
