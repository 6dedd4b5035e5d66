"""What all ways into a host share: accepted connections, who may come in, and the terminals of guests."""
