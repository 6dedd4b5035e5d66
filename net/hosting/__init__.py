"""Composes a host of parts and runs it: standalone, or as a node of a cluster."""
