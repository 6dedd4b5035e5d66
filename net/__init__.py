"""Tables, the wire, the host and its doors: everything between the rules and a screen."""
