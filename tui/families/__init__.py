"""How each family of games is shown and played on the screen."""
