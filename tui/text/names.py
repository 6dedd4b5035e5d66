"""Names of games, presets, themes and tiles in the language of the session, and the meaning of a typed name.

Records, hosts and house rules use ids only; a typed name may be an id, an English name or a translated one.
"""

from collections.abc import Iterable
from functools import lru_cache

from core.games import GAMES, game_called, games_named, no_such_name, other_names
from core.games import every_name as games_names
from core.lookup import Names, find_id, ids_beginning_with, normalise
from core.presets import PAIRED, PRESETS, Preset, preset_called, presets_of
from core.presets import every_name as presets_names
from core.tiles import STAR, Tile
from core.variant import Options, Value, Variant, resolve
from core.words import phrase
from tui.failures import BadUse
from tui.i18n import _

THEMES = (
    *(phrase("felt"), phrase("light"), phrase("wood"), phrase("night")),
    *(phrase("high-contrast"), phrase("okabe-ito"), phrase("amber"), phrase("mono")),
)
"""The themes that come with Boneyard; their English names are their ids."""


def game_name(game: str) -> str:
    """Return the name of a game; a host of another version may have an unknown one."""
    return _(GAMES[game].name) if game in GAMES else game


def tile_words(tile: Tile) -> str:
    """Return a tile as text: its two numbers, or “a wildstar”."""
    return _("a wildstar") if tile == STAR else str(tile)


def with_stars(sentence: str) -> str:
    """Return a sentence with the sign of wild tiles that is drawn on them; in plain ASCII both are an asterisk."""
    return sentence.replace("*", "★")


def theme_name(theme: str) -> str:
    """Return the name of a theme; a player's own has the name of its file."""
    return _(theme) if theme in THEMES else theme


def find_game(name: str) -> Variant:
    """Return the game that a typed name means. Raises BadOption with the nearest ones if it is none, or several."""
    return game_called(name, _translated_game_names())


def find_rules(name: str) -> tuple[Variant, Preset | None]:
    """Return the game that a typed name means, and the preset if the name is that of one.

    Whole names come before parts, and names of presets before further names of games: Muggins is a game with rules
    of its own. Raises BadOption with the nearest names if there is none, or more than one.
    """
    if name in GAMES:
        return GAMES[name], None
    own_names = [*((variant.id, normalise(variant.name)) for variant in GAMES.values()), *_translated_game_names()]
    presets, games = [*presets_names(), *_translated_preset_names()], [*own_names, *games_names()]
    full_name, every_name = normalise(name), [*own_names, *presets, *games]
    id_meant = next((id_ for id_, other in every_name if other == full_name), "")
    if not id_meant:
        is_part = bool(full_name) and any(f" {full_name} " in f" {other} " for _id, other in games)
        id_meant, near = find_id(name, games if is_part else every_name)
        if not id_meant:
            raise no_such_name(name, near)
    preset = PRESETS.get(id_meant)
    return GAMES[preset.game if preset else id_meant], preset


def find_preset(name: str) -> Preset:
    """Return the preset that a typed name means. Raises BadOption with the nearest ones if it is none, or several."""
    return preset_called(name, _translated_preset_names())


def host_search_words(text: str) -> str:
    """Return the search words for a host, which knows the English names of games only."""
    games = set() if games_named(text) else ids_beginning_with(text, _translated_game_names())
    return games.pop() if len(games) == 1 else text


def search_names(game: str) -> str:
    """Return all names by which a search finds a game, separated by dots."""
    return " · ".join((*other_names(game), game, GAMES[game].name))


def preset_at(game: str, options: Options) -> Preset | None:
    """Return the preset with the rules of a table; None if they are the game's defaults."""
    return PRESETS.get(_preset_with(game, tuple(options.items())))


def rules_name(game: str, options: Options) -> str:
    """Return the name of the preset with the rules of a table, or else that of its game."""
    preset = preset_at(game, options)
    return _(preset.name) if preset else game_name(game)


def sort_by_place(presets: Iterable[Preset]) -> list[Preset]:
    """Return presets in the order of their places in the session's language; accents do not count."""
    return sorted(presets, key=lambda preset: normalise(_(preset.place)))


@lru_cache(maxsize=256)
def _preset_with(game: str, options: tuple[tuple[str, Value], ...]) -> str:
    """Return the id of the preset with these options; empty if they are the game's defaults, or of no preset."""
    if game not in GAMES or dict(options) == resolve(GAMES[game].options, {}):
        return ""
    matching_ids = (
        preset.id
        for preset in presets_of(game)
        for players in (PAIRED, 2)
        if resolve(GAMES[game].options, preset.options_for(players)) == dict(options)
    )
    return next(matching_ids, "")


def _translated_game_names() -> Names:
    return ((variant.id, normalise(_(variant.name))) for variant in GAMES.values())


def _translated_preset_names() -> Names:
    return [(preset.id, normalise(_(preset.name))) for preset in PRESETS.values()]


PORT = 2222
"""The default port of a host."""


def join_commands(host: str, port: int) -> tuple[str, ...]:
    """Return the commands that reach a host by its address, with plain ssh and with Boneyard."""
    join_address = host if port == PORT and ":" not in host else place_text(host, port)
    return f"ssh -p {port} {host}", f"boneyard join {join_address}"


def place_text(host: str, port: int) -> str:
    """Return an address and a port as they are typed; `address_of` parses this."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def address_of(text: str) -> tuple[str, int]:
    """Parse HOST, HOST:PORT, [IPV6]:PORT or a bare IPv6 address."""
    host, port = text, str(PORT)
    if text.startswith("["):
        host, _bracket, rest = text[1:].partition("]")
        port = rest[1:] if rest.startswith(":") else rest or port
    elif text.count(":") == 1:
        host, _colon, port = text.partition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise BadUse(
            "“{text}” is not an address; write HOST or HOST:PORT, like 192.168.1.20:{port}.", text=text, port=PORT
        )
    return host, int(port)


def ssh_url(host: str, port: int) -> str:
    """Return the ssh: URL of a host, which opens ssh apps."""
    return f"ssh://[{host}]:{port}" if ":" in host else f"ssh://{host}:{port}"
