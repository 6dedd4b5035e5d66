"""A Textual app on a terminal, wherever that is: driver, adapter to Textual, colours, local terminal."""
