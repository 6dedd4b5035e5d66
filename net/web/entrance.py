"""The parts of the entrance in HTML: seats, tables, games and languages."""

from collections.abc import Mapping, Sequence
from html import escape

from aiohttp import web

from net.doors.terminal import LinkRow


def table_list(tables: Sequence[LinkRow]) -> str:
    """Return the open tables as a list in HTML; empty without tables."""
    items = "".join(
        f'<li><a href="{escape(row.path)}"{" class=free" * row.is_free}><span><strong>{escape(row.name)}</strong>'
        f"{escape(row.about)}</span><b>{escape(row.button)}</b></a></li>"
        for row in tables
    )
    return f'<ul id="tables">{items}</ul>' if items else ""


def game_list(games: Sequence[LinkRow], heading: str) -> str:
    """Return links to games in HTML, under a heading; empty without games."""
    links = "".join(f'<a href="{escape(game.path)}">{escape(game.name)}</a>' for game in games)
    return (
        f'<h2 id="against">{escape(heading)}</h2><nav id="games" aria-labelledby="against">{links}</nav>'
        if links
        else ""
    )


def seat_list(seats: Sequence[tuple[str, str, bool]]) -> str:
    """Return the seats of a table as a list in HTML; empty without seats."""
    items = "".join(
        f"<li{' class=free' * is_free}><strong>{escape(name)}</strong>{escape(note)}</li>"
        for name, note, is_free in seats
    )
    return f'<ul id="seats">{items}</ul>' if items else ""


def language_links(request: web.BaseRequest, language: str, languages: Mapping[str, str]) -> str:
    """Return links to the same page in all `languages`, each by its own name; `language` is the current one."""
    return "".join(
        f'<a href="{escape(str(request.rel_url.update_query(lang=code)))}" lang="{code.replace("_", "-")}"'
        f"{' aria-current=true' * (code == language)}>{escape(name)}</a>"
        for code, name in languages.items()
    )
