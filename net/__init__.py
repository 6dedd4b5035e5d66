"""Tables, the wire, the host and its SSH server: everything between the rules and a screen."""
