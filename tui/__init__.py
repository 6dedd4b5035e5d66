"""The screens, plain text, and the command that opens them."""
