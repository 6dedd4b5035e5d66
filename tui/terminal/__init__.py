"""Textual apps on local and remote terminals: driver, adapter to Textual, colours, local terminal."""
