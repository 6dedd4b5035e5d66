"""Gateways: processes that speak SSH and draw screens, so that a host can use several cores."""
