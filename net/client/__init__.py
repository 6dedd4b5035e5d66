"""The player's end: what it asks and hears, how it reconnects, finds hosts, and holds a host to its promises."""
