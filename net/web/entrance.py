"""The entrance in HTML: the target of a link, its seats, open tables, games and languages."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Protocol

from aiohttp import web

from core.words import Words, words
from net.doors.terminal import LinkPreview, LinkRow

SENTENCES = {
    "lost": words("Connection lost. Reconnecting …"),
    "invite": words("This server asks for an invitation code."),
    "blocked": words("Your network lets no WebSockets through. Use another network, or play in plain text."),
    "plainly": words("Play in plain text"),
    "keyless": words(
        "Your browser keeps no key for this page. You play under a name, and come back with the code that the table "
        "shows."
    ),
    "forgets": words(
        "Your browser forgets this page, and your name with it, after seven days without a visit. To keep them, add "
        "the page to your home screen, or press a in the lobby to link a second key."
    ),
    "enter": words("Enter"),
    "nothing": words("No account, nothing to install."),
    "name": words("Your name"),
    "optional": words("may stay empty"),
    "play": words("Play"),
    "play_as": words("Play as {name}"),
    "other": words("Another name"),
    "watch": words("Watch"),
    "learn": words("Learn in two minutes"),
    "bots": words("Against bots"),
    "all_tables": words("All tables, and open one"),
    "plain_text": words("Plain text"),
    "settings": words("Settings"),
    "sound": words("Sound on your turn"),
    "notify": words("Notification on your turn"),
    "bell": words("Bell of the game"),
    "size": words("Text size"),
    "share": words("Send a friend this link"),
    "copied": words("Copied."),
    "close": words("Close"),
    "turn": words("It is your turn."),
    "refused": words("This browser shows no notifications here."),
    "plain": words("Play in plain text, for screen readers"),
    "code": words("Code of the table"),
    "languages": words("Language"),
    "keys": words("Keys of the game"),
    "more": words("More"),
    "write": words("Write"),
    "send": words("Send"),
}
FULL = words("This server is full: only players with a seat here can come in now. Try again in a few minutes.")


class PageWords(Protocol):
    """The languages of the page."""

    @property
    def languages(self) -> Mapping[str, str]:
        """The languages of the game, each by its own name."""

    def translate(self, sentence: Words, language: str) -> str:
        """Translate a sentence into a language of the game."""


class EntrancePage:
    """Fills in the template of the page."""

    def __init__(self, template: str, translations: PageWords, host: str, static_path: str) -> None:
        """`template` is the HTML of the page, `host` the name of the host, `static_path` that of the static files."""
        self._template, self._translations = template, translations
        self._host, self._static_path = host, static_path

    def html(
        self, preview: LinkPreview, request: web.BaseRequest, origin: str, language: str, *, is_full: bool = False
    ) -> str:
        """Return the page for a link whose target is `preview`, in a language of the game; a host that `is_full` says
        so.
        """
        path = request.path
        heading, about = (preview.words, "") if preview.title == "Boneyard" else (preview.title, preview.words)
        values = {
            **{name: self._translations.translate(sentence, language) for name, sentence in SENTENCES.items()},
            "language": language.replace("_", "-"),
            "title": preview.title,
            "heading": heading,
            "about": about,
            "notice": self._translations.translate(FULL, language) if is_full else "",
            "no_notice": "" if is_full else "hidden",
            "host": self._host,
            "picture": f"/picture{path}.png",
            "path": path,
            "watch_path": path.replace("/t/", "/w/") if path.startswith("/t/") and not preview.main else "",
            "lobby_path": "/plain/" if path == "/" else "",
            "bots_path": "/g/draw" if not preview.games else "",
            "no_code": "" if preview.asks_code and "code" not in request.rel_url.query else "hidden",
            "go": preview.main.path if preview.main else "",
            "go_words": preview.main.name if preview.main else "",
            "go_about": preview.main.about if preview.main else "",
            "description": preview.words,
            "image": f"{origin}/picture{path}.png",
            "url": f"{origin}{path}",
            "static": self._static_path,
        }
        text = re.sub(r"\{(\w+)\}", lambda match: escape(values[match[1]]), self._template)
        lists = {
            "seats": seat_list(preview.seats),
            "tables": table_list(preview.tables),
            "games": game_list(preview.games, values["bots"]),
            "languages": language_links(request, language, self._translations.languages),
        }
        for placeholder, list_html in lists.items():
            text = text.replace(f"<!--{placeholder}-->", list_html)
        return text


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
