"""A line to type in, without a frame, in the colours of the table."""

from textual.widgets import Input

from tui.draw.look import Look


class Line(Input):
    """One row of text. Whoever mounts it takes what was typed from `Input.Submitted`.

    Its cursor does not blink: that tells nothing, and each blink would be sent over the network.
    """

    DEFAULT_CSS = """
    Line, Line:focus { height: 1; border: none; padding: 0 1; }
    """
    BINDINGS = [("ctrl+c", "screen.interrupt", "")]

    def on_mount(self) -> None:
        """Keep the cursor still."""
        self.cursor_blink = False

    def set_look(self, look: Look) -> None:
        """Take the colours of a theme."""
        self.styles.background = look.theme.bar
        self.styles.color = look.theme.accent
