"""SSH on the player's machine: connecting to a host, and the key that logs in and signs."""
