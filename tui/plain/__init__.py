"""Play in whole sentences, line by line, for screen readers, simple terminals and pipes; without Textual."""
