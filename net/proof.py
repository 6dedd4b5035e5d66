"""Checks the record of a match against what a client saw of it, keeps it, and bears witness (docs/fair-deals.md)."""

import asyncio
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from core.fair import Fair
from core.layout import NOBODY
from core.match import MOST_ACTIONS
from core.records import MatchLine, RecordError, Step, referee, write
from core.seals import SealLine, Signature, WitnessLine, attestation
from net.client import Client, Heard, Proof, Witness
from net.messages import Record, Update
from net.publishing import write_whole
from net.seen import Seen
from net.verdict import judge

MAX_LINES = 3 * MOST_ACTIONS
"""Lines of one record. Most matches have a few hundred; one that never ends may be ended after so many actions, and
few actions have two lines. A host may not fill a player's memory."""
log = logging.getLogger(__name__)


class Signatory(Protocol):
    """The keys of both ends of a line, as far as they are of use here."""

    host: str
    """The fingerprint of the host's key."""

    def check(self, statement: bytes, signature: Signature, /) -> str:
        """Return the fingerprint of the key that signed a statement; empty when the signature does not hold."""

    async def sign(self, statement: bytes, /) -> Signature:
        """Sign with the player's key; empty when that cannot be done."""


class Found(NamedTuple):
    """What came of looking at a record."""

    problem: str = ""
    """Empty when it holds, and tells what this client had seen."""
    chain: str = ""
    """What its seal holds; empty in a record without one."""
    witnesses: tuple[int, ...] = ()
    """The seats that have borne witness already."""


def examined(
    lines: list[str], witness: Witness | None, seen: Seen | None = None, keys: Signatory | None = None
) -> Found:
    """Hold a record against what this client saw, and its signature against the key of the host.

    It takes some 60 ms for a match, so it is for a client's own process alone.
    """
    try:
        steps = list(referee(lines))
        signers = set(judge(lines, keys.check).signers) if keys else set()
    except RecordError as error:
        return Found(f"the record does not hold: {error}")
    seals = [step.line.chain for step in steps if isinstance(step.line, SealLine)]
    witnesses = tuple(step.line.seat for step in steps if isinstance(step.line, WitnessLine))
    problem = _broken_promise(steps, witness) or (seen.problem(steps) if seen else "")
    if not problem and keys and signers != {keys.host}:
        problem = "the record is not signed with the key of this host"
    return Found(problem, seals[0] if len(seals) == 1 else "", witnesses)


def _broken_promise(steps: list[Step], witness: Witness | None) -> str:
    fair: Fair | None = next((step.line.fair for step in steps if isinstance(step.line, MatchLine)), None)
    if witness is None:
        return ""
    if fair is None or fair.commitment != witness.fair.commitment:
        return "the host had committed to something else"
    pledges = [share.pledge for share in witness.fair.shares]
    if [share.pledge for share in fair.shares] != pledges:
        return "other pledges than those that were shown"
    if witness.share and fair.shares[witness.seat].share != witness.share:
        return "your own share was left out"
    return ""


class Prover:
    """Asks for the record of every match that a client saw to its end, checks it and keeps it in a folder.

    Of one that it saw whole it also bears witness, with the key that its player logged in with.
    """

    def __init__(self, client: Client, folder: Path, keys: Signatory | None = None) -> None:
        self._client = client
        self._folder = folder
        self._keys = keys
        self._seen = Seen()
        self._lines: list[str] = []
        self._witness: Witness | None = None
        self._asked = False
        self._tasks: set[asyncio.Task[None]] = set()
        client.listen(self.hear)

    def hear(self, message: Heard) -> None:
        """Watch for the end of a match, and take its record."""
        if isinstance(message, Update):
            self._seen.hear(message)
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
                    seen, self._seen = self._seen, self._seen.after()
                    task = asyncio.get_running_loop().create_task(self._prove(self._lines, self._witness, seen))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)

    async def _prove(self, lines: list[str], witness: Witness | None, seen: Seen) -> None:
        # In a thread: the screen goes on meanwhile.
        found = await asyncio.to_thread(examined, lines, witness, seen, self._keys)
        self._client.tell(Proof(found.problem, witness is not None))
        if not found.problem and seen.whole and seen.seat not in (NOBODY, *found.witnesses):
            lines = [*lines, *await self._attest(found.chain, seen.seat)]
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            name = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
            write_whole(self._folder / f"{name}.jsonl", "".join(f"{line}\n" for line in lines))
        except OSError as error:
            log.debug("the record could not be kept: %s", error)  # a screen is up; the proof is what counts

    async def _attest(self, chain: str, seat: int) -> list[str]:
        """Bear witness to the host, and return the line for one's own copy; none for who cannot sign."""
        signature = await self._keys.sign(attestation(chain, seat)) if self._keys and chain else Signature()
        if not signature.key:
            return []
        self._client.attest(chain, signature)
        return [write(WitnessLine(seat, *signature))]
