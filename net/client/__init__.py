"""The player's end: the client, reconnecting, discovery of hosts, and the checks on a host's promises."""
