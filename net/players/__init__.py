"""Who players are: accounts, names and what they may be confused with, codes, and text made safe."""
