"""Hosts that cheat: each function changes an honest host's code so that it can choose the deals, or hide how it did.

In every one the player on seat 0 is the victim, and the host itself plays the seats after it. Run as a program,
`python -m tests.cheats CHEAT host …`, this is `boneyard host` with that cheat in it.
"""

import sys
from itertools import count

from msgspec.structs import replace

from core.chance import deal_order
from core.fair import Share, commit, deal_key
from core.records import MatchLine
from core.words import Illegal, words
from net.table.fair_deal import Shuffle
from net.table.match_runner import MatchRunner
from net.table.table import Table


def lucky(shuffle, rules):
    """A secret with which seat 1 is dealt three doubles in the first round: what a cheat would look for."""
    for number in count():
        secret = number.to_bytes(32, "big")
        order, _ = deal_order(rules.tiles, rules.seats, deal_key(secret, shuffle.fair.shares), 1)
        if sum(low == high for low, high in order[7:14]) >= 3:
            return secret
    raise AssertionError


def strip(patch):
    """The victim's pledge is left out, and the shares are shown without it."""
    patch(Shuffle, "pledge", lambda self, seat, pledge: None)
    _shuffle_once_more(patch)


def switch(patch):
    """Another secret is committed to when the victim's share is known, and shown as if it had been the first."""
    switch_late(patch)
    _shuffle_once_more(patch)


def switch_late(patch):
    """Another secret is committed to when the victim's share is known, and shown with the tiles."""
    reveal = Shuffle.reveal

    def revealed(self, seat, share):
        reveal(self, seat, share)
        self.secret = lucky(self, self.rules)

    _know_the_rules(patch)
    patch(Shuffle, "reveal", revealed)


def switch_unseen(patch):
    """The same, while everybody is still shown the first commitment: only the record has the other one."""
    fair = Shuffle.fair.fget
    switch_late(patch)

    def first(self):
        shown = fair(self)
        if not hasattr(self, "first"):
            self.first = shown.commitment
        return replace(shown, commitment=self.first)

    patch(Shuffle, "fair", property(first))
    write = MatchRunner._write

    def written(self, *lines):
        write(self, *(_committed(line, self) if isinstance(line, MatchLine) else line for line in lines))

    patch(MatchRunner, "_write", written)


def _committed(line, play):
    return replace(line, fair=replace(line.fair, commitment=commit(play.shuffle.secret)))


def _shuffle_once_more(patch):
    """Tell of the shuffling before the first deal once more than an honest host does, and then deal."""
    due = Table._due
    awaited = Table._awaits_shares
    patch(Table, "_awaits_shares", lambda self: self.match is None)
    patch(Table, "_due", lambda self, now: now if self._runner.shuffling and not awaited(self) else due(self, now))


def _know_the_rules(patch):
    began = MatchRunner.__init__

    def begun(self, *args):
        began(self, *args)
        self.shuffle.rules = self.fresh.rules

    patch(MatchRunner, "__init__", begun)


def forge(patch):
    """Seat 1 is dealt five doubles in every round; the record tells of a match that was never played."""
    honest_deal, honest_apply = MatchRunner.deal, MatchRunner.apply

    def deal(self, seats):
        if self.match is None or self.match.over:
            self.match, self.seats, self.lines, self._begins, self._untaken = self.fresh, tuple(seats), [], True, 0
            honest = MatchRunner(self.fresh, lambda: b"", self._software, self._signing)
            honest.shuffle = self.shuffle
            honest_deal(honest, self.seats)
            while not honest.match.over:
                if honest.match.awaits_deal:
                    honest_deal(honest, self.seats)
                else:
                    honest_apply(honest, honest.choice("greedy"))
            self.told = honest.lines
        rules = self.match.rules
        order, lot = deal_order(rules.tiles, rules.seats, self.shuffle.key, self.match.deals + 1)
        doubles = [tile for tile in order if tile[0] == tile[1]][:5]
        others = [tile for tile in order if tile not in doubles]
        order = (*others[:7], *doubles, *others[7:])
        self.match, events = self.match.deal(order, lot)
        self.lines.append("a deal")
        return events

    def apply(self, action):
        self.match, events = self.match.apply(action)
        self.lines.append("an action")
        if self.match.over:
            self.lines = self.told
            self.shuffle = Shuffle(self._seeds(), self.fresh.rules.seats)
        return events

    patch(MatchRunner, "deal", deal)
    patch(MatchRunner, "apply", apply)


def skip(patch):
    """The tiles are dealt at once, with a secret that was chosen for them."""
    _know_the_rules(patch)

    def go_on(self):
        if not self._runner.under_way:
            self._runner.shuffle._shares = [Share()] * len(self.seats.chairs)
            self._runner.shuffle.secret = lucky(self._runner.shuffle, self._runner.fresh.rules)
        return self._dealt()

    patch(Table, "_go_on", go_on)


def drop(patch):
    """The victim's share is taken, looked at, and not used."""
    patch(MatchRunner, "deal", _with(MatchRunner.deal, lambda play: _forget_shares(play.shuffle)))


def _forget_shares(shuffle):
    shuffle._shares = [Share(share.pledge) for share in shuffle._shares]


def swap(patch):
    """The pledges of others are changed after the victim's share is known."""
    patch(MatchRunner, "deal", _with(MatchRunner.deal, _give_seat_1_a_share))


def _give_seat_1_a_share(play):
    play.shuffle._shares[1] = Share(commit(b"1" * 32), (b"1" * 32).hex())


def _with(method, deed):
    def done(self, *args):
        if not self.under_way:
            deed(self)
        return method(self, *args)

    return done


def rules(patch):
    """The house rules are changed after the victim's share is known."""

    def change(play):
        play.fresh = replace(play.fresh, options=play.fresh.options | {"target": 61})

    patch(MatchRunner, "deal", _with(MatchRunner.deal, change))


def silence(patch):
    """The record is not handed out."""

    def recall(self, guest):
        raise Illegal(words("Not today."))

    patch(Table, "recall", recall)


def unsigned(patch):
    """The record is not signed."""
    began = MatchRunner.__init__
    patch(MatchRunner, "__init__", lambda self, fresh, seeds, software, *_: began(self, fresh, seeds, software))


CHEATS = {
    cheat.__name__: cheat
    for cheat in (strip, switch, switch_late, switch_unseen, forge, skip, drop, swap, rules, silence, unsigned)
}

if __name__ == "__main__":
    CHEATS[sys.argv.pop(1)](setattr)
    from tui.cli.main import main

    main()
