"""Presets: house rules as they are played somewhere, each under its name (`docs/rules` §B)."""

from msgspec import Struct

from core.lookup import Names, meant, plain
from core.variant import Options, Value
from core.words import BadOption, phrase, words

PARTNERS = "partners"
PAIRED = 4
"""Players that can be partners."""


class Preset(Struct, frozen=True):
    """One row of the list: a name for a game with house rules. Nothing else depends on it, least of all a record."""

    id: str
    name: str
    """In English, to be translated."""
    place: str
    """Where it is played: a country or region by its code in ISO 3166 or UN M.49."""
    game: str
    options: dict[str, Value]
    """What differs from the usual rules of the game."""
    local: str = ""
    """What it is called there."""
    players: int = 0
    """How many usually play; 0 where that does not matter."""

    def options_for(self, players: int) -> Options:
        """Return the house rules for a number of players, of whom only four are partners."""
        if players != PAIRED and self.options.get(PARTNERS) == "yes":
            return {key: value for key, value in self.options.items() if key != PARTNERS}
        return dict(self.options)


PRESETS = {
    preset.id: preset
    for preset in (
        Preset("muggins", phrase("Muggins"), "US", "all-fives", {"af.spinner": "none", "af.bonus": "own"}),
        Preset("sniff", phrase("Sniff"), "US", "all-fives", {"af.spinner": "sniff", "af.hand": "7/6/5"}),
        Preset(
            "bones",
            phrase("Bones"),
            "US",
            "all-fives",
            {"partners": "yes", "af.hand": "7/7/7", "target": 250},
            "street dominoes",
            4,
        ),
        Preset("all-threes", phrase("All Threes"), "US", "all-fives", {"af.by": 3, "af.spinner": "none"}),
        Preset(
            "league-53",
            phrase("British pub league"),
            "GB",
            "fives-and-threes",
            {"partners": "yes", "f3.hand": "9/5/6"},
            "fives and threes",
            4,
        ),
        Preset("straight-42", phrase("Tournament 42"), "US", "forty-two", {}, "straight 42"),
        Preset(
            "house-42",
            phrase("Texas kitchen 42"),
            "US",
            "forty-two",
            {"42.contracts": "nello+plunge+splash+sevens", "42.all_pass": "dealer_30"},
        ),
        Preset("latin", phrase("Latin"), "419", "partners", {"pt.lead": "rotate"}, "dominó latino"),
        Preset(
            "spanish",
            phrase("Spanish (federation)"),
            "ES",
            "partners",
            {"pt.first": "lot", "pt.lead": "rotate", "pt.count": "all", "target": 300},
            "dominó por parejas",
        ),
        Preset("spanish-100", phrase("Spanish (cafés)"), "ES", "partners", {"pt.count": "all"}),
        Preset("mexican", phrase("Mexican"), "MX", "partners", {}, "dominó de cantina"),
        Preset(
            "venezuelan",
            phrase("Venezuelan"),
            "VE",
            "partners",
            {"pt.lead": "rotate", "pt.count": "all"},
            "dominó criollo",
        ),
        Preset("chilean", phrase("Chilean"), "CL", "partners", {"target": 200}),
        Preset(
            "dominican",
            phrase("Dominican (patio)"),
            "DO",
            "partners",
            {
                "pt.count": "all",
                "pt.block": "single",
                "pt.tie": "leader",
                "pt.capicua": 25,
                "pt.chuchazo": 25,
                "pt.pass_first": 25,
                "pt.pass_all": 25,
                "target": 200,
            },
            "a la capicúa",
        ),
        Preset(
            "dominican-30",
            phrase("Dominican (30 and 60)"),
            "DO",
            "partners",
            {
                "pt.count": "all",
                "pt.block": "duel",
                "pt.tie": "blocker",
                "pt.capicua": 30,
                "pt.chuchazo": 30,
                "pt.pass_first": 30,
                "pt.pass_all": 30,
                "pt.pass_stop": 30,
                "target": 200,
            },
        ),
        Preset(
            "puerto-rican-500",
            phrase("Puerto Rican, 500"),
            "PR",
            "partners",
            {"pt.count": "all", "pt.capicua": 100, "pt.chuchazo": 100, "pt.hand_bonus": "yes", "target": 500},
            "a quinientos",
        ),
        Preset(
            "puerto-rican-200",
            phrase("Puerto Rican, 200"),
            "PR",
            "partners",
            {"pt.count": "all", "target": 200},
            "doscientos",
        ),
        Preset("cuban", phrase("Cuban (Havana)"), "CU", "partners", {"set": 9}, "doble nueve"),
        Preset(
            "cuban-east",
            phrase("Cuban (Santiago)"),
            "CU",
            "partners",
            {
                "pt.pay": "tens",
                "pt.count": "all",
                "pt.block": "single",
                "pt.tie": "leader",
                "pt.capicua": "double",
                "pt.first_pass": 2,
                "target": 20,
            },
            "capicúa",
        ),
        Preset("arab-partners", phrase("Arab, pairs"), "145", "partners", {"pt.block": "single"}, "domina"),
        Preset(
            "sebastopol", phrase("Sebastopol"), "150", "cross", {"draw.max": 0, "hand4": 7, "target": 60}, players=4
        ),
        Preset(
            "maltese-cross",
            phrase("Maltese Cross"),
            "150",
            "cross",
            {"cross.second": "doubles", "target": 60},
        ),
        Preset(
            "cyprus",
            phrase("Cyprus"),
            "150",
            "cross",
            {
                "cross.set": 9,
                "cross.arms": 8,
                "cross.lead": "top",
                "draw.reserve": 1,
                "draw.max": 1,
                "cross.hand": "9/8/7/7/6",
                "target": 60,
            },
            players=4,
        ),
        Preset("egyptian", phrase("Egyptian"), "EG", "draw", {"hand3": 9, "hand4": 7, "target": 101}, "domina adi"),
        Preset("sea-goat", phrase("Sea Goat"), "RU", "kozel", {"koz.kind": "sea"}, "морской козёл", players=4),
        Preset("goat-for-two", phrase("Goat, each alone"), "RU", "kozel", {"partners": "no"}, "козёл"),
        Preset("cut-throat", phrase("Jamaican cut-throat"), "JM", "six-love", {"partners": "no"}, "cut-throat"),
        Preset(
            "six-love-straight",
            phrase("Six love, in a row"),
            "JM",
            "six-love",
            {"sl.match": "love"},
            "six love",
            players=4,
        ),
        Preset("recife", phrase("Pernambuco"), "BR", "brazilian", {"br.hand": 6, "br.redeal": 5}),
        Preset(
            "brazilian-official",
            phrase("Brazilian, municipal rules"),
            "BR",
            "brazilian",
            {"br.block": "void", "br.tie": "plus_one", "target": 7},
        ),
        Preset("ce-deng", phrase("Ce Deng"), "CN", "jie-long", {"jl.game": "ce-deng"}, "斜釘", 4),
        Preset(
            "tin-kau",
            phrase("Hong Kong table"),
            "CN",
            "tien-gow",
            {"tg.banker": "rising", "tg.bonus": "on"},
            "天九",
            4,
        ),
        Preset("ding-niu", phrase("Ding Niu, Bull Fight"), "CN", "jie-long", {"jl.game": "ding-niu"}, "頂牛", 4),
        Preset(
            "one-arm-joe",
            phrase("One-Arm Joe"),
            "US",
            "tiddly-wink",
            {"tw.draw": "until", "tw.lead_again": "no"},
        ),
    )
}


def presets_of(game: str) -> list[Preset]:
    """Return the presets of a game."""
    return [preset for preset in PRESETS.values() if preset.game == game]


def preset_called(name: str, also: Names = ()) -> Preset:
    """Return the preset with a name: its id, its English name or its local one, or a part that no other has.

    `also` are names in another language. Raises BadOption with the nearest ones if there is none, or more than one.
    """
    found, near = meant(name, (*_every_name(), *also))
    if found:
        return PRESETS[found]
    listed = ", ".join(near or PRESETS)
    raise BadOption(words("No preset is called “{name}”. Did you mean {near}?", name=name[:40], near=listed))


def _every_name() -> list[tuple[str, str]]:
    """Every preset's id with each of its names, these in single words."""
    return [
        (preset.id, plain(text))
        for preset in PRESETS.values()
        for text in (preset.id, preset.name, preset.local)
        if text
    ]
