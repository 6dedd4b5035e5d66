"""Alone at this terminal, a match or a lesson: the parts are those of `net.hosting.alone`, the screens are ours."""

import getpass
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from net.host.thinkers import Thinkers
from net.hosting.alone import MATCH_ALONE, AloneOptions, MatchAlone
from net.hosting.opening import opened
from net.loop import run
from net.players.text import clean_name
from net.table.table import AT_ONCE, Pace
from net.wire.messages import MakeTable
from tui.i18n import _
from tui.run.settings import name_given
from tui.run.shown import Keeping, Show, Visit
from tui.version import SOFTWARE

if TYPE_CHECKING:
    from tui.lessons import Lesson, Tutor


def own_name() -> str:
    """What to call a player who is alone: the name that they gave once, or “You” in their language."""
    return name_given() or _("You")


def user_name() -> str:
    """What to call the player at this machine where others read it: the name that they gave, or that of the login."""
    if given := name_given():
        return given
    try:
        return clean_name(getpass.getuser()) or "you"
    except (OSError, KeyError):
        return "you"


class Ended(NamedTuple):
    """How playing alone ended."""

    last_word: str
    """What the player is told; empty for nothing."""
    kept: bool
    """Whether the match can be taken up again."""
    lost: str = ""
    """Why a match that was left before its end is lost, in a sentence; empty if it is not."""


class _Keeping(Keeping):
    """What whoever shows a match alone need know of how it is kept."""

    match: MatchAlone

    def keeps(self) -> bool:
        return not self.match.storage.problem

    async def close(self) -> None:
        await self.match.close()


async def play_alone(
    wish: MakeTable | Path,
    show: Show,
    *,
    data: Path,
    software: str = SOFTWARE,
    seed: int | None = None,
    record: Path | None = None,
    pace: bool = True,
    thinkers: Thinkers | None = None,
) -> Ended:
    """Play at a new table of one's own, or go on with a match that was kept at a path, until it is left.

    `show` shows it; bots think in the `thinkers`, or in some of its own. The match is kept in `data`. Raises OSError
    when the `record` cannot be written, be it at once or at the end of a game that went on without; and
    `net.storage.match_storage.NotKeptError` when the match cannot be taken up.
    """
    options = AloneOptions(
        wish=wish,
        data=data,
        software=software,
        seed=seed,
        record=record,
        pace=Pace() if pace else AT_ONCE,
        thinkers=thinkers,
    )
    keeping = _Keeping()
    match = keeping.match = MatchAlone(options, lambda reason: keeping.tell(_not_kept(reason)))
    async with opened(match, MATCH_ALONE):
        visit = Visit(match.client, match.converse, match.thinkers, match.sits, own_name(), keeping, data / "records")
        last_word = await show(visit)
    lost = _not_kept(match.storage.problem) if match.begun and match.storage.problem else ""
    return Ended(last_word, match.begun and not match.storage.problem, lost)


def _not_kept(reason: str) -> str:
    return _("This match is not kept: {reason}.", reason=reason)


class Learnt(NamedTuple):
    """How learning ended."""

    last_word: str
    """What the player is told; empty for nothing."""
    table: MakeTable | None
    """The match that they would like to play now."""


def learn(lesson: "Lesson", show: "Callable[[Tutor], Show]") -> Learnt:
    """Take a lesson, and those that the player chooses after it, until they leave; `show` shows a tutor's table."""
    from tui.lessons import Lesson, Tutor  # noqa: PLC0415 - most play without

    following: Lesson | MakeTable | None = lesson
    while isinstance(following, Lesson):
        tutor = Tutor(following)
        with TemporaryDirectory() as data:
            ended = run(play_alone(following.table, show(tutor), data=Path(data), seed=following.seed))
        following = tutor.following
        if ended.last_word:
            return Learnt(ended.last_word, None)
    return Learnt("", following)
