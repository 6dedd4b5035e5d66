"""Draws the table and all around it as pictures, without Textual; and the widget that shows a picture."""
