"""Presets: named sets of house rules as they are played in some place (`docs/rules` §B)."""

from msgspec import Struct

from core.lookup import Names, find_id, normalise
from core.variant import Options, Value
from core.words import BadOption, words

PARTNERS = "partners"
PAIRED = 4
"""Number of players that can be partners."""


class Preset(Struct, frozen=True):
    """A name for a game with house rules. Nothing else depends on it; a record holds the rules themselves."""

    id: str
    name: str
    """In English, to be translated."""
    place: str
    """The country or region of the rules, by its English name in Unicode CLDR; to be translated."""
    game: str
    options: dict[str, Value]
    """Options that differ from the usual rules of the game."""
    local: str = ""
    """Its name there."""
    players: int = 0
    """Usual number of players; 0 if that does not matter."""

    def options_for(self, players: int) -> Options:
        """Return the house rules for `players`, without partners unless they are four."""
        if players != PAIRED and self.options.get(PARTNERS) == "yes":
            return {key: value for key, value in self.options.items() if key != PARTNERS}
        return dict(self.options)


def _row(
    id: str, name: str, place: str, game: str, rules: str, local: str = "", players: int = 0
) -> tuple[str, Preset]:
    """Return a preset by its id; `rules` are given as they are typed: `KEY=VALUE KEY=VALUE`."""
    chosen = (rule.split("=") for rule in rules.split())
    options: dict[str, Value] = {key: int(value) if value.isdecimal() else value for key, value in chosen}
    return id, Preset(id, name, place, game, options, local, players)


_ROWS = (
    _row("muggins", "Muggins", "United States", "all-fives", "af.spinner=none af.bonus=own"),
    _row("sniff", "Sniff", "United States", "all-fives", "af.spinner=sniff af.hand=7/6/5"),
    _row(
        "bones", "Bones", "United States", "all-fives", "partners=yes af.hand=7/7/7 target=250", "street dominoes", 4
    ),
    _row("all-threes", "All Threes", "United States", "all-fives", "af.by=3 af.spinner=none"),
    _row(
        "league-53",
        "British pub league",
        "United Kingdom",
        "fives-and-threes",
        "partners=yes f3.hand=9/5/6",
        "fives and threes",
        4,
    ),
    _row("straight-42", "Tournament 42", "United States", "forty-two", "", "straight 42"),
    _row(
        "house-42",
        "Texas kitchen 42",
        "United States",
        "forty-two",
        "42.contracts=nello+plunge+splash+sevens 42.all_pass=dealer_30",
    ),
    _row("latin", "Latin", "Latin America", "partners", "pt.lead=rotate", "dominó latino"),
    _row(
        "spanish",
        "Spanish (federation)",
        "Spain",
        "partners",
        "pt.first=lot pt.lead=rotate pt.count=all target=300",
        "dominó por parejas",
    ),
    _row("spanish-100", "Spanish (cafés)", "Spain", "partners", "pt.count=all"),
    _row("mexican", "Mexican", "Mexico", "partners", "", "dominó de cantina"),
    _row("venezuelan", "Venezuelan", "Venezuela", "partners", "pt.lead=rotate pt.count=all", "dominó criollo"),
    _row("chilean", "Chilean", "Chile", "partners", "target=200"),
    _row(
        "dominican",
        "Dominican (patio)",
        "Dominican Republic",
        "partners",
        "pt.count=all pt.block=single pt.tie=leader pt.capicua=25 pt.chuchazo=25 pt.pass_first=25 pt.pass_all=25 "
        "target=200",
        "a la capicúa",
    ),
    _row(
        "dominican-30",
        "Dominican (30 and 60)",
        "Dominican Republic",
        "partners",
        "pt.count=all pt.block=duel pt.tie=blocker pt.capicua=30 pt.chuchazo=30 pt.pass_first=30 pt.pass_all=30 "
        "pt.pass_stop=30 target=200",
    ),
    _row(
        "puerto-rican-500",
        "Puerto Rican, 500",
        "Puerto Rico",
        "partners",
        "pt.count=all pt.capicua=100 pt.chuchazo=100 pt.hand_bonus=yes target=500",
        "a quinientos",
    ),
    _row("puerto-rican-200", "Puerto Rican, 200", "Puerto Rico", "partners", "pt.count=all target=200", "doscientos"),
    _row("cuban", "Cuban (Havana)", "Cuba", "partners", "set=9", "doble nueve"),
    _row(
        "cuban-east",
        "Cuban (Santiago)",
        "Cuba",
        "partners",
        "pt.pay=tens pt.count=all pt.block=single pt.tie=leader pt.capicua=double pt.first_pass=2 target=20",
        "capicúa",
    ),
    _row("arab-partners", "Arab, pairs", "Western Asia", "partners", "pt.block=single", "domina"),
    _row("sebastopol", "Sebastopol", "Europe", "cross", "draw.max=0 hand4=7 target=60", "", 4),
    _row("maltese-cross", "Maltese Cross", "Europe", "cross", "cross.second=doubles target=60"),
    _row(
        "cyprus",
        "Cyprus",
        "Europe",
        "cross",
        "cross.set=9 cross.arms=8 cross.lead=top draw.reserve=1 draw.max=1 cross.hand=9/8/7/7/6 target=60",
        "",
        4,
    ),
    _row("egyptian", "Egyptian", "Egypt", "draw", "hand3=9 hand4=7 target=101", "domina adi"),
    _row("sea-goat", "Sea Goat", "Russia", "kozel", "koz.kind=sea", "морской козёл", 4),
    _row("goat-for-two", "Goat, each alone", "Russia", "kozel", "partners=no", "козёл"),
    _row("cut-throat", "Jamaican cut-throat", "Jamaica", "six-love", "partners=no", "cut-throat"),
    _row("six-love-straight", "Six love, in a row", "Jamaica", "six-love", "sl.match=love", "six love", 4),
    _row("recife", "Pernambuco", "Brazil", "brazilian", "br.hand=6 br.redeal=5"),
    _row(
        "brazilian-official",
        "Brazilian, municipal rules",
        "Brazil",
        "brazilian",
        "br.block=void br.tie=plus_one target=7",
    ),
    _row("ce-deng", "Ce Deng", "China", "jie-long", "jl.game=ce-deng", "斜釘", 4),
    _row("tin-kau", "Hong Kong table", "China", "tien-gow", "tg.banker=rising tg.bonus=on", "天九", 4),
    _row("ding-niu", "Ding Niu, Bull Fight", "China", "jie-long", "jl.game=ding-niu", "頂牛", 4),
    _row("one-arm-joe", "One-Arm Joe", "United States", "tiddly-wink", "tw.draw=until tw.lead_again=no"),
)
PRESETS = dict(_ROWS)


def presets_of(game: str) -> list[Preset]:
    """Return the presets of a game."""
    return [preset for preset in PRESETS.values() if preset.game == game]


def preset_called(name: str, translated_names: Names = ()) -> Preset:
    """Return the preset with a name: its id, its English or local name, or a part that no other preset has.

    `translated_names` are those in another language. Raises BadOption with the nearest ones if none or several fit.
    """
    preset_id, nearest = find_id(name, (*every_name(), *translated_names))
    if preset_id:
        return PRESETS[preset_id]
    if not nearest:
        raise BadOption(words("No preset is called “{name}”.", name=name[:40]))
    listed = ", ".join(nearest)
    raise BadOption(words("No preset is called “{name}”. Did you mean {near}?", name=name[:40], near=listed))


def every_name() -> list[tuple[str, str]]:
    """Return every preset's id with each of its names, normalised."""
    return [
        (preset.id, normalise(text))
        for preset in PRESETS.values()
        for text in (preset.id, preset.name, preset.local)
        if text
    ]
