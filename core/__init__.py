"""The games: rules as values over one immutable engine, without any input or output (`docs/core.md`)."""
