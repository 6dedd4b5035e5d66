"""Tables, the wire, the host and its SSH server: the layers between rules and screens."""
