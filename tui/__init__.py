"""Screens and widgets, and the command that opens them."""
