"""Gateways: processes that speak SSH and draw screens, so that a host has more than one core."""
