"""The layers between rules and screens: tables, messages, storage, and the doors of a host and a cluster."""
