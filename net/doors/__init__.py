"""Code that all entrances of a host share: accepted connections, admission, and the terminals of guests."""
