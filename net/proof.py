"""Checks the record of a match against what a client saw before the first deal, and keeps it (docs/fair-deals.md)."""

import asyncio
import logging
from datetime import UTC, datetime
from pathlib import Path

from core.fair import Fair
from core.match import MOST_ACTIONS
from core.records import MatchLine, RecordError, referee
from net.client import Client, Heard, Proof, Witness
from net.messages import Record, Update
from net.store import write_whole

MAX_LINES = 3 * MOST_ACTIONS
"""Lines of one record. Most matches have a few hundred; one that never ends may be ended after so many actions, and
few actions have two lines. A host may not fill a player's memory."""
log = logging.getLogger(__name__)


def problem_of(lines: list[str], witness: Witness | None) -> str:
    """Say what is wrong with a record; empty when it holds, and tells what this client had seen.

    It takes some 30 ms for a match, so it is for a client's own process alone.
    """
    fair: Fair | None = None
    try:
        for step in referee(lines):
            if isinstance(step.line, MatchLine):
                fair = step.line.fair
    except RecordError as error:
        return f"the record does not hold: {error}"
    if witness is None:
        return ""
    if fair is None or fair.commitment != witness.fair.commitment:
        return "the host had committed to something else"
    seen = [share.pledge for share in witness.fair.shares]
    if [share.pledge for share in fair.shares] != seen:
        return "other pledges than those that were shown"
    if witness.share and fair.shares[witness.seat].share != witness.share:
        return "your own share was left out"
    return ""


class Prover:
    """Asks for the record of every match that a client saw to its end, checks it and keeps it in a folder."""

    def __init__(self, client: Client, folder: Path) -> None:
        self._client = client
        self._folder = folder
        self._lines: list[str] = []
        self._witness: Witness | None = None
        self._asked = False
        self._tasks: set[asyncio.Task[None]] = set()
        client.listen(self.hear)

    def hear(self, message: Heard) -> None:
        """Watch for the end of a match, and take its record."""
        match message:
            case Update(match=match) if match is not None and match.over:
                if not self._asked:
                    self._asked, self._lines, self._witness = True, [], self._client.witness
                    self._client.recall()
            case Update():
                self._asked = False
            case Record(lines=lines, last=last) if self._asked:
                self._lines += lines[: MAX_LINES - len(self._lines)]
                if last:
                    task = asyncio.get_running_loop().create_task(self._prove(self._lines, self._witness))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)

    async def _prove(self, lines: list[str], witness: Witness | None) -> None:
        # In a thread: the screen goes on meanwhile.
        problem = await asyncio.to_thread(problem_of, lines, witness)
        self._client.tell(Proof(problem, witness is not None))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            name = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
            write_whole(self._folder / f"{name}.jsonl", "".join(f"{line}\n" for line in lines))
        except OSError as error:
            log.debug("the record could not be kept: %s", error)  # a screen is up; the proof is what counts
