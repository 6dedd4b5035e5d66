"""One TOML file per theme, and the loader."""
