"""Draws the table and its surroundings as pictures, without Textual."""
