"""Which Boneyard this is."""

VERSION = "0.1.0"
SOFTWARE = f"boneyard {VERSION}"
"""As records and greetings name it."""
