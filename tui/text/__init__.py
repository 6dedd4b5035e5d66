"""Tells in sentences what happened and what matters now."""
