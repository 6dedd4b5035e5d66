"""What a command runs: a table alone, joining a host, hosting, the menu, a replay; and the terminal here."""
