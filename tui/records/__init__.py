"""Recorded matches in files: what they say, which there are, how they went together, and exports of them."""
