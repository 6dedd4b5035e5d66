"""Players: accounts, names and lookalikes, codes, and the cleaning of their text."""
