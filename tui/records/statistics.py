"""How the matches of one player against bots went together, by game and by the level of the bots."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from core.bots.questions import LEVELS
from core.games import GAMES
from core.layout.state import NOBODY
from tui.records.history import PastMatch


class Tally(Struct):
    """The matches of one game against bots of one level."""

    game: str
    level: str
    """Several if bots of several levels played; empty in a game for one."""
    played: int = 0
    won: int = 0
    streak: int = 0
    """How many were won one after the other until now."""
    longest: int = 0
    """How many were ever won so."""
    best_round: int = 0
    """What the best round gained; where the lowest score wins, the round that gained least."""

    reviewed: int = 0
    luck: float = 0.0
    play: float = 0.0
    """How many were reviewed, and what luck and play gained on the others in all of these."""

    def add(self, match: PastMatch) -> None:
        """Count a match, in the order in which they were played."""
        better = match.least if _lowest(match) else match.most
        pick = min if _lowest(match) else max
        self.best_round = pick(self.best_round, better) if self.played else better
        self.played += 1
        self.won += match.won
        self.streak = self.streak + 1 if match.won else 0
        self.longest = max(self.longest, self.streak)
        if match.luck is not None and match.play is not None:
            self.reviewed += 1
            self.luck = round(self.luck + match.luck, 2)
            self.play = round(self.play + match.play, 2)


def counted(matches: Iterable[PastMatch]) -> list[PastMatch]:
    """Return those that can be counted: of matches of several people those in which it was noted who you are."""
    return [match for match in matches if not match.problem and match.seat != NOBODY]


def statistics(matches: Sequence[PastMatch]) -> list[Tally]:
    """Count matches, the newest of which comes first: by game in the order of the menu, then by level."""
    tallies: dict[tuple[str, str], Tally] = {}
    for match in reversed(counted(matches)):
        key = match.game, level_of(match)
        tallies.setdefault(key, Tally(*key)).add(match)
    games = list(GAMES)
    return sorted(
        tallies.values(), key=lambda each: (games.index(each.game), *map(_strength, each.level.split(" + ")))
    )


def total(matches: Sequence[PastMatch]) -> Tally:
    """Count matches, the newest of which comes first, whatever the game and the level."""
    tally = Tally("", "")
    for match in reversed(counted(matches)):
        tally.add(match)
    return tally


def level_of(match: PastMatch) -> str:
    """Return the level of the bots of a match."""
    return " + ".join(sorted(match.levels, key=_strength))


def _strength(level: str) -> int:
    return LEVELS.index(level) if level in LEVELS else len(LEVELS)


def _lowest(match: PastMatch) -> bool:
    return GAMES[match.game].rules(len(match.players), {})[1].goal.lowest
