"""What the choices do that every table has, whatever is played there."""

from core.words import phrase

_MINUTES = phrase("{n} minutes: when a player's turns have taken {n} minutes in all, a bot goes on.")
_SECONDS = phrase("{n} seconds: when a turn has taken {n} seconds, a bot plays it.")

TABLE: dict[str, dict[str, str]] = {
    "players": {
        "1": phrase("one player: nobody else sits at the table."),
        "n": phrase("{n} players: {n} seats, for people and bots together."),
    },
    "preset": {"usual": phrase("as usual: the rules that Boneyard plays where nobody chooses others.")},
    "bots": {
        "0": phrase("none: all seats wait for people."),
        "1": phrase("one bot: the other seats wait for people."),
        "n": phrase("{n} bots: the other seats wait for people."),
    },
    "level": {
        "easy": phrase("easy: bots make the slips that people make."),
        "normal": phrase("normal: bots think a little about each move."),
        "hard": phrase("hard: bots think ten times as much."),
    },
    "hints": {
        "no": phrase("no: nobody gets hints unless all players agree."),
        "yes": phrase("yes: the key h shows a good move and says why."),
    },
    "take_back": {
        "no": phrase("no: what is done stays done."),
        "yes": phrase("yes: the key u takes back your last choice; all other people at the table must agree."),
    },
    "private": {
        "no": phrase("no: everybody in the lobby may sit down or watch."),
        "yes": phrase("yes: only people with the code of the table may join; you are shown it."),
    },
    "turn_time": {"0": phrase("no limit: a turn may take as long as it likes."), "n": _SECONDS},
    "match_time": {"0": phrase("no limit: a match may take as long as it likes."), "n": _MINUTES},
}
"""By setting, then by choice, where `n` stands for every number that is not named."""
