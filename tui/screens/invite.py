"""How friends come to this host: the lines that they type, and a code that phones read."""

from collections.abc import Sequence

from net.client.client import Client
from tui.board.canvas import Canvas, Picture, Style, columns, plain
from tui.draw.lists import draw_page
from tui.draw.look import Look
from tui.draw.panels import fit
from tui.i18n import _
from tui.model.keys import Key
from tui.screens.base import DrawnScreen
from tui.text.names import link_to
from tui.text.notices import link_in, ways_in

QUIET = 2
"""Modules of white around a code: less than the standard's four, which phones do not need on a screen."""
DARK, LIGHT = "#000000", "#ffffff"
"""A code is black on white in every theme, or phones do not read it."""


class InviteScreen(DrawnScreen[None]):
    """Shows the lines to copy, and beside or under them the code of the first address."""

    KEYS = (Key("copy", "c"), Key("close", "escape,q,enter,i", leaves=True))

    def __init__(self, look: Look, client: Client) -> None:
        super().__init__(look)
        self._ways = ways_in(client)
        self._told = ""
        link = self._link = link_in(client)
        ssh = link_to(*client.places[0]) if client.places else ""
        self._code = code_of(link or ssh) if (link or ssh) and not look.ascii else ()

    def paint(self, width: int, height: int) -> Picture:
        """Show the lines above the code; where there is no room for it, the lines alone."""
        theme = self.look.theme
        canvas = Canvas(width, height - 3, Style(theme.text, theme.felt))
        longest = max(map(columns, self._ways), default=0)
        told = _("A friend types one of these:") if self._ways else _("A friend types what you typed to come here.")
        if self._link:
            told = _("Send a friend this link:") if len(self._ways) == 1 else _("A friend opens the link, or types:")
        lines = [(told, False), *((f"{way:{longest}}", True) for way in self._ways)]
        code = self._code if len(lines) + 3 + len(self._code) <= canvas.height else ()
        y = max(1, (canvas.height - len(lines) - 2 - len(code)) // 2)
        for line, accent in lines:
            shown = plain(fit(line, width - 4), self.look.ascii)
            style = Style(theme.accent if accent else theme.text, theme.felt, accent)
            canvas.put((width - columns(shown)) // 2, y, shown, style)
            y += 1
        if code:
            told = _("Or reads this code on a phone with an app for ssh:")
            if self._link:
                told = _("Or they scan this code with a phone:")
            canvas.put(
                max(0, width - columns(told)) // 2,
                y + 1,
                plain(fit(told, width), self.look.ascii),
                Style(theme.text, theme.felt),
            )
            for row, text in enumerate(code, y + 2):
                canvas.put((width - columns(text)) // 2, row, text, Style(DARK, LIGHT))
        hints = [*([("c", _("copy the line"))] if self._ways else []), ("q", _("back"))]
        return draw_page(_("invite friends"), Picture(canvas.rows()), self._told, hints, "", width, self.look)

    def action_copy(self) -> None:
        """Copy the first line, where the terminal allows it."""
        if self._ways:
            self.app.copy_to_clipboard(self._ways[0])
            self._told = _("Copied, if your terminal allows it.")
            self.redraw()

    def action_close(self) -> None:
        self.dismiss()


def code_of(text: str, *, dark: bool = False) -> tuple[str, ...]:
    """Return a QR code in rows of half blocks, two modules above each other in one cell; black stands for ink.

    On a `dark` ground it is the other way round.
    """
    from qrcode.constants import ERROR_CORRECT_L  # noqa: PLC0415 - few players ever look at one
    from qrcode.main import QRCode  # noqa: PLC0415

    code = QRCode(error_correction=ERROR_CORRECT_L, border=QUIET)
    code.add_data(text)
    code.make()
    modules = [[bool(module) != dark for module in row] for row in code.get_matrix()]
    modules += [[dark] * len(modules[0])] * (len(modules) % 2)
    return tuple(_row(upper, lower) for upper, lower in zip(modules[::2], modules[1::2], strict=True))


def _row(upper: Sequence[bool], lower: Sequence[bool]) -> str:
    return "".join(" ▀▄█"[above + 2 * below] for above, below in zip(upper, lower, strict=True))
