"""The wire: the messages, their bytes, and the link that carries them."""
