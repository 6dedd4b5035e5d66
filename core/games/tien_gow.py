"""Tien Gow, Heaven and Nine: tricks of one to four Chinese tiles; the last decides (`docs/rules` §C.6)."""

from core.combos.rules import SEATS, Banker, ComboRules
from core.layout.state import Goal
from core.tiles import CHINESE_SET
from core.variant import Option, Options, Variant
from core.words import phrase


def _build(_players: int, options: Options) -> ComboRules:
    return ComboRules(
        tiles=CHINESE_SET,
        goal=Goal(rounds=int(options["tg.rounds"])),
        mixed=options["tg.mixed"] == "yes",
        early_death=options["tg.early_death"] == "yes",
        banker=_BANKER_OPTION.of(options),
        bonus=options["tg.bonus"] == "on",
    )


_BANKER_OPTION: Option[Banker] = Option("tg.banker", ("fixed", "rising"), "how often the banker's payments count")

TIEN_GOW = Variant(
    id="tien-gow",
    name=phrase("Tien Gow"),
    pitch=phrase("Heaven and Nine: lay Chinese tiles together, beat as many or hide; only the last trick wins."),
    brief=phrase("combinations"),
    seats=(SEATS, SEATS),
    options=(
        Option("tg.rounds", (8, 4, 16), "rounds in a match"),
        Option("tg.mixed", ("yes", "no"), "civil and military tiles may go together"),
        Option("tg.early_death", ("yes", "no"), "who took nothing hides a last single tile"),
        _BANKER_OPTION,
        Option("tg.bonus", ("off", "on"), "supreme pairs and tricks of four pay at once"),
    ),
    build=_build,
    counter_clockwise=True,
)
