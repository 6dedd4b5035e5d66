"""Hosts that cheat: each function changes an honest host's code so that it can choose the deals, or hide how it did.

In each of them the player on seat 0 is the victim, and the host itself plays the seats after it. Run as a program,
`python -m tests.cheats CHEAT host …`, this is `boneyard host` with that cheat in it.
"""

import sys
from itertools import count

from msgspec.structs import replace

from core.fair import Share, commit, deal_key, deal_order
from core.records import NO_SIGNING, MatchLine
from core.words import Illegal, words
from net.table import transitions
from net.table.persistence import RecordedMatch, Shuffle
from net.table.table import Table


def find_lucky_secret(shuffle, rules):
    """Return a secret with which seat 1 is dealt three doubles in the first round: the goal of a cheat."""
    for number in count():
        secret = number.to_bytes(32, "big")
        order, _ = deal_order(rules.tiles, rules.seats, deal_key(secret, shuffle.shares), 1)
        if sum(low == high for low, high in order[7:14]) >= 3:
            return secret
    raise AssertionError


def strip(patch):
    """Omit the victim's pledge, and reveal the shares without it."""
    patch(Shuffle, "pledge", lambda shuffle, seat, pledge: shuffle)
    _shuffle_once_more(patch)


def switch(patch):
    """Choose another secret once the victim's share is known, and present its commitment as the first."""
    switch_late(patch)
    _shuffle_once_more(patch)


def switch_late(patch):
    """Choose another secret once the victim's share is known, and reveal it with the tiles."""
    reveal = transitions.reveal

    def reveal_with_other_secret(table, guest, share, now):
        seat, shuffle = table.seats.at(guest), table.recorded.shuffle
        secret = find_lucky_secret(shuffle.reveal(seat, share), table.recorded.initial.rules)
        return reveal(table.with_shuffle(replace(shuffle, secret=secret)), guest, share, now)

    patch(transitions, "reveal", reveal_with_other_secret)


def switch_unseen(patch):
    """Choose another secret, but send everybody the first commitment: only the record has the other one."""
    fair, commitments = Shuffle.fair.fget, {}
    switch_late(patch)

    def fair_with_first_commitment(shuffle):
        deal = fair(shuffle)
        pledges = tuple(share.pledge for share in shuffle.shares)
        return replace(deal, commitment=commitments.setdefault(pledges, deal.commitment))

    patch(Shuffle, "fair", property(fair_with_first_commitment))
    with_lines = RecordedMatch._with_lines

    def with_actual_commitment(play, *lines):
        return with_lines(play, *(_committed(line, play) if isinstance(line, MatchLine) else line for line in lines))

    patch(RecordedMatch, "_with_lines", with_actual_commitment)


def _committed(line, play):
    return replace(line, fair=replace(line.fair, commitment=commit(play.shuffle.secret)))


def _shuffle_once_more(patch):
    """Announce the shuffling before the first deal once more than an honest host does, and then deal."""
    honest_due = transitions._due
    is_awaiting = Table.is_awaiting_shares.fget
    patch(Table, "is_awaiting_shares", property(lambda table: table.match is None))
    patch(
        transitions,
        "_due",
        lambda table, now, **options: (
            now
            if table.recorded.is_awaiting_reveals and not is_awaiting(table)
            else honest_due(table, now, **options)
        ),
    )


def forge(patch):
    """Deal seat 1 five doubles in every round; the record has a match that was never played."""
    honest_deal, honest_apply = RecordedMatch.deal, RecordedMatch.apply
    forged = {}

    def unplayed_match(play, seats):
        match, _ = honest_deal(play, seats)
        while not match.match.over:
            match, _ = (
                honest_deal(match, seats)
                if match.match.is_deal_due
                else honest_apply(match, match.bot_action("greedy"))
            )
        return match.lines

    def deal(play, seats):
        if play.match is None or play.match.over:
            forged[play.matches_begun + 1] = unplayed_match(play, tuple(seats))
            play = replace(play, match=play.initial, lines=(), matches_begun=play.matches_begun + 1)
        rules = play.match.rules
        order, lot = deal_order(rules.tiles, rules.seats, play.shuffle.key, play.match.deals + 1)
        doubles = [tile for tile in order if tile[0] == tile[1]][:5]
        other_tiles = [tile for tile in order if tile not in doubles]
        match, events = play.match.deal((*other_tiles[:7], *doubles, *other_tiles[7:]), lot)
        return replace(play, match=match, lines=(*play.lines, "a deal")), events

    def apply(play, action):
        match, events = play.match.apply(action)
        play = replace(play, match=match, lines=(*play.lines, "an action"))
        if match.over:
            new_shuffle = Shuffle.without_pledges(play.dealer.new_secret(), play.initial.rules.seats)
            play = replace(play, lines=forged[play.matches_begun], shuffle=new_shuffle)
        return play, events

    patch(RecordedMatch, "deal", deal)
    patch(RecordedMatch, "apply", apply)


def skip(patch):
    """Let the host deal without waiting for the shares of players, from a secret that it has chosen."""
    honest_begin = transitions.begin_round

    def begin_without_shares(table, now):
        if table.recorded.in_progress:
            return honest_begin(table, now)
        without_shares = replace(table.recorded.shuffle, shares=(Share(),) * len(table.seats.chairs))
        secret = find_lucky_secret(without_shares, table.recorded.initial.rules)
        return transitions.deal_round(table.with_shuffle(replace(without_shares, secret=secret)), now)

    patch(transitions, "begin_round", begin_without_shares)


def drop(patch):
    """Accept the victim's share, read it, and do not use it."""
    _change_before_the_deal(
        patch, lambda play: _with_shares(play, [Share(share.pledge) for share in play.shuffle.shares])
    )


def swap(patch):
    """Change the pledges of others once the victim's share is known."""
    known_share = Share(commit(b"1" * 32), (b"1" * 32).hex())
    _change_before_the_deal(
        patch, lambda play: _with_shares(play, [play.shuffle.shares[0], known_share, *play.shuffle.shares[2:]])
    )


def rules(patch):
    """Change the house rules once the victim's share is known."""

    def change_target(play):
        return replace(play, initial=replace(play.initial, options=play.initial.options | {"target": 61}))

    _change_before_the_deal(patch, change_target)


def _with_shares(play, shares):
    return replace(play, shuffle=replace(play.shuffle, shares=tuple(shares)))


def _change_before_the_deal(patch, change):
    deal = RecordedMatch.deal
    patch(RecordedMatch, "deal", lambda play, seats: deal(play if play.in_progress else change(play), seats))


def silence(patch):
    """Never send the record."""

    def recall(table, guest):
        raise Illegal(words("Not today."))

    patch(transitions, "recall", recall)


def unsigned(patch):
    """Leave the record unsigned."""
    patch(RecordedMatch, "of", lambda initial, dealer: honest_of(initial, replace(dealer, signing=NO_SIGNING)))


honest_of = RecordedMatch.of


CHEATS = {
    cheat.__name__: cheat
    for cheat in (strip, switch, switch_late, switch_unseen, forge, skip, drop, swap, rules, silence, unsigned)
}

if __name__ == "__main__":
    CHEATS[sys.argv.pop(1)](setattr)
    from tui.cli.main import main

    main()
