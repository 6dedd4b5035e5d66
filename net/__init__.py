"""Tables, the wire protocol, the host and its SSH server: all layers between the rules and the screens."""
