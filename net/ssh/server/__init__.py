"""SSH on the host: listening, connections, sessions and their terminals."""
