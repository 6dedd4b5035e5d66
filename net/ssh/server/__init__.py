"""SSH on the host: listening, connections, sessions and their terminals, and the queue of handshakes."""
