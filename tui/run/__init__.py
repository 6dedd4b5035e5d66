"""Runs the commands: a solo match, joining, hosting, the menu, a replay; and the local terminal."""
