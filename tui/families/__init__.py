"""The presenters of the families of games: their tables and controls on the screen."""
