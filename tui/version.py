"""Which Boneyard this is."""

VERSION = "0.2.0"
SOFTWARE = f"boneyard {VERSION}"
"""As records and greetings name it: another text in every release (docs/decisions/025-versions-of-rules.md)."""
