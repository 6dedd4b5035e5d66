"""The host: its lobby and tables run for real, who may enter, and what its operator sees and does."""
