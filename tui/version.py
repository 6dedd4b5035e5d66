"""The version of Boneyard."""

VERSION = "1.0.0"
SOFTWARE = f"boneyard {VERSION}"
"""The name in records and greetings: another text in every release (docs/decisions/025-versions-of-rules.md)."""
