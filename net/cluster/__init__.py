"""Hosts of several nodes: gateways admit guests, table hosts run the tables, and one database connects them."""
