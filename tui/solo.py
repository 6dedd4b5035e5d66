"""Solo matches and lessons: the parts are those of `net.hosting.solo`; the caller supplies the front end."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from net.client.client import Client
from net.host.thinkers import Thinkers
from net.hosting.opening import open_parts
from net.hosting.solo import SOLO_MATCH, SoloMatch, SoloOptions
from net.table.table import INSTANT, Pace
from net.wire.messages import Bye, MakeTable, Sit
from tui.i18n import _
from tui.version import SOFTWARE

if TYPE_CHECKING:
    from tui.lessons import Lesson, Tutor


Converse = Callable[[], Awaitable[Bye | None]]


class MatchSaver:
    """The saving of a solo match, as its front end sees it; by default nothing is saved."""

    def __init__(self) -> None:
        self._held_sentences: list[str] = []
        self._output: Callable[[str], None] | None = None

    def can_resume(self) -> bool:
        """Return True if the match could be resumed if it were left now."""
        return False

    async def close(self) -> None:
        """Save the match; nothing can be played after that."""

    def send(self, sentence: str) -> None:
        """Send a sentence to the player; hold it back until a front end calls `set_output`."""
        if self._output:
            self._output(sentence)
        else:
            self._held_sentences.append(sentence)

    def set_output(self, send: Callable[[str], None]) -> None:
        """Pass all sentences to `send` from now on, first those that were held back."""
        self._output = send
        while self._held_sentences:
            send(self._held_sentences.pop(0))


class ClientSession(Struct, frozen=True):
    """A client with everything that its front end needs."""

    client: Client
    converse: Converse
    """Runs the client."""
    thinkers: Thinkers
    table_request: MakeTable | Sit | None = None
    """The table to go to at once."""
    name: str = ""
    """The player's name; if empty, the player is asked."""
    saver: MatchSaver = field(default_factory=MatchSaver)
    records: Path | None = None
    """The folder for the player's records."""


Show = Callable[[ClientSession], Awaitable[str]]
"""Shows a client until its player leaves; returns the last message, if any."""


class SoloResult(NamedTuple):
    """The end of a solo match."""

    last_word: str
    """A sentence for the player; may be empty."""
    is_resumable: bool
    """True if the match can be resumed."""
    loss: str = ""
    """The reason why a match left before its end is lost, as a sentence; empty if it is not lost."""


class _SoloSaver(MatchSaver):
    """Saves a `SoloMatch`."""

    match: SoloMatch

    def can_resume(self) -> bool:
        return not self.match.storage.problem

    async def close(self) -> None:
        await self.match.close()


async def play_alone(
    table_or_path: MakeTable | Path,
    show: Show,
    *,
    name: str,
    data: Path,
    software: str = SOFTWARE,
    seed: int | None = None,
    record: Path | None = None,
    pace: bool = True,
    thinkers: Thinkers | None = None,
) -> SoloResult:
    """Play at a new solo table, or resume a saved match by its path, until the player leaves.

    `show` shows it to a player of this `name`; bots think in the `thinkers`, or in processes of its own. The match is
    saved in `data`. Raises OSError if the `record` cannot be written, at once or at the end of a match that went on
    without it; and `net.storage.solo_storage.NotResumableError` if the match cannot be resumed.
    """
    options = SoloOptions(
        table_or_path=table_or_path,
        data=data,
        software=software,
        seed=seed,
        record=record,
        pace=Pace() if pace else INSTANT,
        thinkers=thinkers,
    )
    saver = _SoloSaver()
    match = saver.match = SoloMatch(options, lambda reason: saver.send(_not_kept_sentence(reason)))
    async with open_parts(match, SOLO_MATCH):
        session = ClientSession(
            match.client, match.converse, match.thinkers, match.table_request, name, saver, data / "records"
        )
        last_word = await show(session)
    loss = _not_kept_sentence(match.storage.problem) if match.is_unfinished and match.storage.problem else ""
    return SoloResult(last_word, match.is_unfinished and not match.storage.problem, loss)


def _not_kept_sentence(reason: str) -> str:
    return _("This match is not kept: {reason}.", reason=reason)


class LessonResult(NamedTuple):
    """The end of one lesson or several."""

    last_word: str
    """A sentence for the player; may be empty."""
    table: MakeTable | None
    """The match that the player chose to play next."""


async def learn(
    lesson: "Lesson",
    show: "Callable[[Tutor], Show]",
    *,
    name: str,
    thinkers: Thinkers | None = None,
) -> LessonResult:
    """Run a lesson, and those that the player chooses after it, until they leave; `show` shows a tutor's table."""
    from tui.lessons import Lesson, Tutor  # noqa: PLC0415 - most play without

    next_activity: Lesson | MakeTable | None = lesson
    while isinstance(next_activity, Lesson):
        tutor = Tutor(next_activity)
        with TemporaryDirectory() as data:
            result = await play_alone(
                next_activity.table,
                show(tutor),
                name=name,
                data=Path(data),
                seed=next_activity.seed,
                thinkers=thinkers,
            )
        next_activity = tutor.next_activity
        if result.last_word:
            return LessonResult(result.last_word, None)
    return LessonResult("", next_activity)
