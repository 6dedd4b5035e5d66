"""The screens, one file each. The constructor takes all that a screen needs; `dismiss` returns its result."""
