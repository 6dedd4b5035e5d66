"""The screens, one file each; what a screen needs comes in its constructor, what it found out by `dismiss`."""
