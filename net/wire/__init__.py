"""What goes over a link: the messages, their bytes, and the link itself."""
