"""Draws the table and all around it as pictures, without Textual."""
