"""A client's part in a fair deal: it pledges a share, shows it, and checks that the host keeps its promises.

`docs/fair-deals.md` explains step by step why a host that keeps them cannot choose a deal.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from core.fair import SECRET_LENGTH, Fair, commit
from core.layout.state import NOBODY
from core.options import Options
from net.client.evidence import ConnectionBroke, Entry, JoinedTable, Journal, Pledged, UpdateReceived
from net.wire.messages import Update

UNUSED = "your connection broke, so your share was not used"


class Witness(Struct, frozen=True):
    """What a client knows about the fair deal of a match from before its first deal."""

    fair: Fair | None = None
    """What everybody had promised when this client showed its share; None if it did not see that moment."""
    seat: int = NOBODY
    share: str = ""
    """Its own share, in hexadecimal; empty if it showed none."""
    game: str = ""
    options: Options = {}
    problem: str = ""
    """The first promise that the host broke; empty for none."""
    caveat: str = ""
    """Why the deals were made without this client's share, if nobody need have cheated; empty for none."""


class Shares:
    """A client's shares for the matches at its table, from the pledge to the first deal."""

    def __init__(self, entropy: Callable[[int], bytes] | None) -> None:
        """`entropy` gives the bytes of shares; None adds nothing."""
        self._entropy = entropy
        self.keeps_evidence = False
        """Whether everything about a match is kept, for a client that accuses a host which cheats."""
        self._forget()
        self._playing = False
        self.witness: Witness | None = None
        """Of the match that is played, or was played last; None if this client came after its first deal."""
        self.journal = Journal()
        """All of this about the match that is played or to come."""
        self.finished = self.journal
        """The same about the match that was finished last."""

    def pledge(self) -> str:
        """Draw and keep a share for the next match, and return its pledge; empty for a client that adds nothing."""
        if self._entropy is None:
            return ""
        share = self._entropy(SECRET_LENGTH)
        pledge = commit(share)
        self._pledged[pledge] = share.hex()
        self._note(Pledged(share.hex()))
        return pledge

    def arrive(self, *, begun: bool) -> None:
        """Note that this client goes to a table by its own wish, and expects nothing more at the last one.

        `begun` says whether a match may be under way there; if not, this client sees it being shuffled.
        """
        self._forget()
        self.journal = Journal()
        self._note(JoinedTable(begun))
        self._here = not begun
        self._playing = False
        self.witness = None

    def line_broke(self) -> None:
        """Note that updates may be missed until the connection works again."""
        self._note(ConnectionBroke())
        self._here, self._again = False, True

    def handle(self, update: Update) -> str:
        """Note what an update tells about the fair deal; return the share to be shown now, if any."""
        self._note(UpdateReceived(update))
        if update.match is None or update.match.over:
            if self._playing:
                self._playing, self.finished, self.journal = False, self.journal, Journal()
                self._note(UpdateReceived(update))
            return self._before_the_deal(update)
        if not self._playing:
            self._playing = True
            self.witness = self._bound(update)
            self._forget()
        elif update.fair and self.witness and self.witness.fair:
            problem = _changed(self.witness, update.fair, update.seat)
            if problem and self._again:
                self.witness = Witness(caveat="another match was under way when you reconnected")
            elif problem and not self.witness.problem:
                self.witness = replace(self.witness, problem=problem)
        return ""

    @property
    def problem(self) -> str:
        """The promise that the host has broken about the match that is played or to come; empty for none."""
        return self._problem or (self.witness.problem if self.witness and self._playing else "")

    def _forget(self) -> None:
        self._pledged: dict[str, str] = {}
        """By pledge, the shares for the next match; several if the player left the seat and came back."""
        self._shown: Witness | None = None
        """What had been promised when the share was shown; it must not change after that."""
        self._problem = ""
        self._here = False
        """Whether this client has been at the table without a break since before any share was shown."""
        self._again = False
        """Whether the share that was shown may have been lost with the connection."""

    def _note(self, entry: Entry) -> None:
        if self.keeps_evidence and self._entropy is not None:  # there is no promise to a client that adds nothing
            self.journal.note(entry)

    def _before_the_deal(self, update: Update) -> str:
        fair, seat = update.fair, update.seat
        if update.table.phase != "shuffling":
            self._here = True
        elif fair is None or self._problem:
            pass
        elif self._shown is not None:
            self._problem = _changed(self._shown, fair, seat)
            again, self._again = self._again, False
            if again and not self._problem and self._shown.share and not fair.shares[seat].share:
                return self._shown.share
        else:
            share = self._pledged.get(fair.shares[seat].pledge, "") if seat != NOBODY else ""
            if share or not self._adds(seat):
                self._shown, self._again = Witness(fair, seat, share, update.table.game, update.table.options), False
                return share
            if self._here:
                self._problem = "the host left out your program's pledge"
        return ""

    def _adds(self, seat: int) -> bool:
        return self._entropy is not None and seat != NOBODY

    def _bound(self, update: Update) -> Witness | None:
        """What the record of a match that begins now will be compared with."""
        shown, match = self._shown, update.match
        assert match is not None  # noqa: S101 - it is under way
        if self._problem:
            return replace(shown or Witness(), problem=self._problem)
        if shown is None:
            if not self._adds(update.seat) or not (self._here or self._again):
                return None
            if self._here:
                return Witness(problem="the tiles were dealt before your share was shown")
            return Witness(caveat=UNUSED)
        problem = _changed(shown, update.fair, update.seat) if update.fair else ""
        if (match.game, match.options) != (shown.game, shown.options):
            problem = problem or "the rules changed after your share was shown"
        if problem or update.fair is None or not shown.share or update.fair.shares[shown.seat].share == shown.share:
            return replace(shown, problem=problem)
        if self._here:
            return replace(shown, problem="the tiles were dealt without your share")
        return replace(shown, share="", caveat=UNUSED)


def _changed(shown: Witness, fair: Fair, seat: int) -> str:
    """Return what has changed since it was promised when a share was shown; empty if nothing has."""
    assert shown.fair is not None  # noqa: S101 - it was shown for something
    if fair.commitment != shown.fair.commitment:
        return "the host changed its secret after your share was shown"
    if [share.pledge for share in fair.shares] != [share.pledge for share in shown.fair.shares]:
        return "the host changed pledges after your share was shown"
    if seat != shown.seat:
        return "the host moved your seat after your share was shown"
    return ""
