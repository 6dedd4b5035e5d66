"""The command `boneyard`: what is typed, checked, and handed to what runs it."""
