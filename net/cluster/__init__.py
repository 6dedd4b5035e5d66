"""A host of several machines: gateways where guests come in, table hosts that run the tables, and one database."""
