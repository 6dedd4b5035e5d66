"""One Textual app for each guest over ssh, many in one process: driver, colours, turns, and what makes it fast."""
