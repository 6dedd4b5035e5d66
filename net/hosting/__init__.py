"""Puts a host together from parts, and runs it: alone, or as a node of a cluster."""
