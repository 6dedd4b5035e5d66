"""All transitions of a table: seats, play, proposals, chat and time. Each function returns the next table.

The first functions build the updates about a change, each with what its guest may know, and limit their rate.
"""

from collections.abc import Callable

from msgspec.structs import replace

from core.actions import Action, Event, TakenBack, cut, public_action
from core.bots.profiles import DEFAULT, EFFORTS, Question, pace_of
from core.layout.state import NOBODY
from core.match import Match, last_choice
from core.records import Seat
from core.words import Illegal, Words, words
from net.limits import COALESCED_PER_SECOND
from net.table.table import SPEEDS, Guest, Outbox, Table
from net.wire.messages import Act, Attest, Proposal, Record, Refused, Said, Speed, TableInfo, Times, Update


def broadcast(
    table: Table,
    now: float,
    events: tuple[Event, ...] = (),
    *,
    newcomer: int = NOBODY,
    timed_out: int = NOBODY,
) -> tuple[Table, Outbox]:
    """Number a change, and broadcast it: each guest gets what they may know of it."""
    number = table.number + 1
    table = _run_clock(
        replace(
            table,
            number=number,
            last_play_update=number if events else table.last_play_update,
            coalesced_update_at=None,
        ),
        now,
    )
    info, complete = table.info(now), _is_update_complete(table)
    return table, [
        (guest, update(table, now, guest, events, info, whole=complete or guest == newcomer, timed_out=timed_out))
        for guest in table.guests
    ]


def broadcast_coalesced(
    table: Table, now: float, guest: int = NOBODY, *, arrives: bool = False
) -> tuple[Table, Outbox]:
    """Broadcast a change in which nothing was played, such as an arrival. Beyond `COALESCED_PER_SECOND`, one later
    update covers all such changes.

    `guest` is the connection that the change concerns, and `arrives` is True if it arrives. It gets an update at once
    in any case. If the others do not, its update repeats the current number: they would miss a new one.
    """
    at_once, seat = False, table.seats.at(guest)
    # the actions of a player have their own limit, apart from arrivals and departures
    if not arrives and seat != NOBODY:
        if allowance := table.action_allowances[seat].try_spend(now):
            at_once = True
            table = replace(
                table,
                action_allowances=(*table.action_allowances[:seat], allowance, *table.action_allowances[seat + 1 :]),
            )
    elif table.coalesced_update_at is None and (allowance := table.arrival_allowance.try_spend(now)):
        at_once, table = True, replace(table, arrival_allowance=allowance)
    if at_once:
        return broadcast(table, now, newcomer=guest if arrives else NOBODY)
    table = _run_clock(table, now)
    if table.coalesced_update_at is None:
        table = replace(table, coalesced_update_at=now + 1 / COALESCED_PER_SECOND)
    return table, [
        (guest, update(table, now, guest, whole=arrives or _is_update_complete(table)))
    ] if guest in table.guests else []


def update(
    table: Table,
    now: float,
    guest: int,
    events: tuple[Event, ...] = (),
    info: TableInfo | None = None,
    *,
    whole: bool = False,
    timed_out: int = NOBODY,
) -> Update:
    """Return the table as one guest may know it; `whole` adds the shares, and all events since the deal."""
    seat = table.seats.at(guest)
    match = table.match
    is_take_back = any(isinstance(event, TakenBack) for event in events)
    if match is not None and not whole and not is_take_back:  # guests who were here have got the events
        match = replace(match, history=())
    times = Times(table.clock.running, *table.clock.remaining(now)) if table.clock.limited else None
    return Update(
        number=table.number,
        table=info or table.info(now),
        seat=seat,
        match=match.view(seat) if match else None,
        events=tuple(cut(event, seat) for event in events),
        ready=tuple(sorted(table.ready)),
        fair=table.recorded.shuffle.fair if whole else None,
        times=times,
        timed_out=timed_out,
        watching=tuple(watcher.name for watcher in table.seats.watchers),
        code=table.terms.code,
        wanted=table.proposal,
        chain=table.recorded.closing.chain,
        grace=table.seats.grace_left(table.pace.grace, now),
    )


def _is_update_complete(table: Table) -> bool:
    """Return True while updates contain everything: until the first action after the first deal of a match."""
    return not table.recorded.in_progress or table.recorded.has_just_begun


def _run_clock(table: Table, now: float) -> Table:
    """Run the clock for the seat on turn, and restart `since` if the table waits for something else now."""
    seat, recorded = table.recorded.turn, table.recorded
    is_away = seat != NOBODY and table.seats.chairs[seat].away
    waiting_for = len(recorded.lines), table.phase, table.deserted, is_away, table.ready
    is_play_stopped = not recorded.in_progress or table.paused or table.deserted
    if is_play_stopped or (seat != NOBODY and (table.seats.chairs[seat].bot or table.seats.chairs[seat].excused)):
        seat = NOBODY
    return replace(
        table,
        clock=table.clock.run(seat, now, fresh=recorded.moment != table.clock_turn),
        clock_turn=recorded.moment,
        waiting_for=waiting_for,
        since=table.since if waiting_for == table.waiting_for else now,
    )


CHAT_TAIL = 20
"""Chat messages that a newcomer gets; about one screen of them."""
RECORD_LINES = 100
"""Lines of a record in one message; the longest, deals, have under 2,000 characters."""


def act(table: Table, guest: int, message: Act, now: float) -> tuple[Table, Outbox]:
    """Apply a guest's action on their turn, or send a refusal to them alone."""
    seat = table.seats.at(guest)
    if seat == NOBODY:
        return table, [(guest, Refused(words("You are watching; only seated players can play.")))]
    refusal = _refusal(table, seat, message)
    if refusal is None:
        try:
            recorded, events = table.recorded.apply(message.action)
            return broadcast(replace(table, recorded=recorded, proposal=None), now, events)
        except Illegal as illegal:
            refusal = illegal.reason
    return table, [(guest, Refused(refusal)), (guest, update(table, now, guest))]


def mark_ready(table: Table, guest: int, now: float, pledge: str = "") -> tuple[Table, Outbox]:
    """Note that a player has seen the result; the next deal follows when all players here have."""
    seat = table.seats.at(guest)
    if seat == NOBODY or table.match is None or table.match.turn != NOBODY or table.recorded.is_awaiting_reveals:
        return table, []
    if table.match.over and pledge:
        table = table.with_shuffle(table.recorded.shuffle.pledge(seat, pledge))
    table = replace(table, ready=table.ready | {seat})
    can_begin = table.complete if table.over else table.all_ready
    return begin_round(table, now) if can_begin else broadcast_coalesced(table, now, guest)


def play_again(table: Table, guest: int, now: float, same: str) -> tuple[Table, Outbox]:
    """Play a finished game for one player again: with `same` "deal" from its start, with
    "choice" from before the last choice. Raises Illegal.
    """
    seat, match = table.seats.at(guest), table.match
    if seat == NOBODY:
        raise Illegal(words("You are watching; only seated players can play."))
    if match is None or not match.over or match.rules.seats > 1:
        raise Illegal(words("Only a finished game for one player can be played again with the same deal."))
    if same == "choice" and not table.terms.take_back:
        raise Illegal(words("This table was opened without taking back."))
    repeated_match, choice = last_choice(match, seat, {seat}) if same == "choice" else (None, None)
    actions = [action for _, action in repeated_match.past] if repeated_match else []
    recorded, events = table.recorded.play_again(_seats_for_record(table), actions)
    table = replace(table, recorded=recorded, ready=frozenset(), paused=False, clock=table.clock.begin())
    return broadcast(table, now, (TakenBack(seat, choice),) if choice else events)


def reveal(table: Table, guest: int, share: str, now: float) -> tuple[Table, Outbox]:
    """Accept a share that was pledged; after the last one, deal the tiles and broadcast all shares.

    Raises Illegal for a wrong one.
    """
    seat = table.seats.at(guest)
    if seat == NOBODY or not table.recorded.is_awaiting_reveals:
        return table, []
    table = table.with_shuffle(table.recorded.shuffle.reveal(seat, share))
    return (table, []) if table.is_awaiting_shares else deal_round(table, now)


def say(table: Table, guest: int, text: str) -> tuple[Table, Outbox]:
    """Broadcast a guest's chat message at the table."""
    seat = table.seats.at(guest)
    spectator_name = next((watcher.name for watcher in table.seats.watchers if watcher.id == guest), "")
    message = Said(table.seats.chairs[seat].name if seat != NOBODY else spectator_name, seat, text)
    return replace(table, chat=(*table.chat, message)[-CHAT_TAIL:]), [(other, message) for other in table.guests]


def pause(table: Table, guest: int, paused: bool, now: float) -> tuple[Table, Outbox]:
    """Pause or continue the table. Raises Illegal for a guest without a seat."""
    if table.seats.at(guest) == NOBODY:
        raise Illegal(words("Only seated players can pause the table."))
    return (table, []) if paused == table.paused else broadcast_coalesced(replace(table, paused=paused), now, guest)


def set_pace(table: Table, guest: int, speed: Speed, now: float) -> tuple[Table, Outbox]:
    """Set the pace of the bots. Raises Illegal for a guest without a seat, and for an unknown pace."""
    if table.seats.at(guest) == NOBODY:
        raise Illegal(words("Only seated players can set the pace of the bots."))
    if speed not in SPEEDS:
        raise Illegal(words("Bots play at one of these paces: {paces}.", paces=", ".join(SPEEDS)))
    return (table, []) if speed == table.speed else broadcast_coalesced(replace(table, speed=speed), now, guest)


def skip(table: Table, guest: int) -> tuple[Table, Outbox]:
    """Let bots play at once until it is a human player's turn. Raises Illegal for a guest without a seat."""
    if table.seats.at(guest) == NOBODY:
        raise Illegal(words("Only seated players can set the pace of the bots."))
    return replace(table, skipping=table.is_awaiting_bot), []


def end_match(table: Table, guest: int, now: float, *, resigns: bool = False) -> tuple[Table, Outbox]:
    """Propose to end the match without a winner, or agree; one that may never end is ended at once.

    All players present must agree, or all present partners of a player who `resigns`; players who have left count no
    more than bots. Raises Illegal for a guest without a seat, when no match is played, and for a resignation where
    there are not two sides.
    """
    seat, match = table.seats.at(guest), table.match
    if seat == NOBODY:
        raise Illegal(words("Only seated players can end the match."))
    if match is None or not table.recorded.in_progress:
        raise Illegal(words("No match is being played."))
    sides = match.rules.sides
    if resigns and sides != 2:
        raise Illegal(words("Only one of two sides can resign."))
    agreed: tuple[int, ...] = ()
    if resigns or (not match.endless and match.rules.seats > 1):
        required = _present_human_seats(table, now)
        if resigns:
            required = {other for other in required if other % sides == seat % sides}
        proposal = table.proposal
        if proposal and proposal.ends and proposal.resigns == resigns and proposal.seat in required - {seat}:
            proposal = _add_agreement(seat, proposal)
        else:
            proposal = replace(_new_proposal(table, seat, lambda: None, required), ends=True, resigns=resigns)
        agreed = tuple(sorted({proposal.seat, *proposal.agreed}))
        if not required <= set(agreed):
            return broadcast_coalesced(replace(table, proposal=proposal), now, guest)
    recorded, events = table.recorded.stop(agreed, resigned=resigns)
    return broadcast(replace(table, recorded=recorded, ready=frozenset(), proposal=None), now, events)


def recall(table: Table, guest: int) -> Outbox:
    """Send the record of the finished match. Raises Illegal while one is played."""
    lines = table.recorded.lines
    if not lines or table.recorded.in_progress:
        raise Illegal(words("A match's record is published when the match is over."))
    parts = range(0, len(lines), RECORD_LINES)
    return [(guest, Record(table.id, lines[start : start + RECORD_LINES], start == parts[-1])) for start in parts]


def attest(table: Table, guest: Guest, key: str, message: Attest) -> Table:
    """Add a player's witness to the record of the finished match; `key` is the fingerprint of their key."""
    return replace(table, recorded=table.recorded.attest(table.seats.at(guest.id), guest.name, key, message))


def begin_round(table: Table, now: float) -> tuple[Table, Outbox]:
    """Begin the next round; before the first deal of a match, wait for pledged shares to be revealed."""
    if not table.recorded.in_progress:
        table = table.with_shuffle(table.recorded.shuffle.close())
        if table.is_awaiting_shares:
            return broadcast(table, now)
    return deal_round(table, now)


def deal_round(table: Table, now: float) -> tuple[Table, Outbox]:
    """Deal the next round, of a new match if there is none or the last is over."""
    if not table.recorded.in_progress:
        table = replace(table, paused=False, clock=table.clock.begin())
    recorded, events = table.recorded.deal(_seats_for_record(table))
    return broadcast(replace(table, recorded=recorded, ready=frozenset()), now, events)


def _seats_for_record(table: Table) -> list[Seat]:
    return [Seat(chair.name, chair.bot) for chair in table.seats.chairs]


def _refusal(table: Table, seat: int, message: Act) -> Words | None:
    """Return the reason why a seat may not act now, whatever the action."""
    if table.match is None or table.match.turn == NOBODY:
        return words("No round is being played.")
    if table.paused:
        return words("The table is paused.")
    if not table.last_play_update <= message.number <= table.number:
        return words("The match has already moved on.")
    return words("It is not your turn.") if seat != table.match.turn else None


def sit(table: Table, guest: Guest, now: float, pledge: str = "") -> tuple[Table, Outbox]:
    """Give a guest their own seat again, or a free one, or a bot's; `pledge` is theirs for the deals.

    Raises Illegal if human players have all seats.
    """
    table = _restart_grace_if_deserted(table, now)
    is_returning = table.seat_of(guest) != NOBODY
    table = replace(table, seats=table.seats.sit(guest, over=table.over))
    if table.over and not is_returning:  # a newcomer agrees to the next match
        table = replace(table, ready=table.ready | {table.seat_of(guest)})
    if not table.recorded.in_progress and pledge:
        table = table.with_shuffle(table.recorded.shuffle.pledge(table.seats.at(guest.id), pledge))
    if not table.maker:
        table = replace(table, name=guest.name, maker=guest.token)
    table, outbox = (
        begin_round(table, now) if table.complete else broadcast_coalesced(table, now, guest.id, arrives=True)
    )
    return table, outbox + [(guest.id, message) for message in table.chat]


def watch(table: Table, guest: Guest, now: float) -> tuple[Table, Outbox]:
    """Let a guest watch; if they sit here, their seat stays reserved. Raises Illegal for one who was removed."""
    table.seats.admit(guest)
    table = _stand_up(_restart_grace_if_deserted(table, now), guest.id, None)
    table, outbox = broadcast_coalesced(replace(table, seats=table.seats.watch(guest)), now, guest.id, arrives=True)
    return table, outbox + [(guest.id, message) for message in table.chat]


def put_bots(table: Table, levels: tuple[str, ...]) -> Table:
    """Put bots on the last free seats, one for each level, without an update: the table is new."""
    return replace(table, seats=table.seats.put_bots(levels, over=table.over))


def fill(table: Table, guest: Guest, now: float) -> tuple[Table, Outbox]:
    """Put bots on all free seats, so that the match begins. Raises Illegal for a guest without a seat."""
    seat = table.seat_of(guest)
    if seat == NOBODY:
        raise Illegal(words("Only seated players can fill the table with bots."))
    free_seats = table.seats.free(over=table.over)
    if not free_seats:
        return table, []
    table = put_bots(table, (DEFAULT,) * len(free_seats))
    if table.over:
        table = replace(table, ready=table.ready | {seat})
    return begin_round(table, now) if table.complete else broadcast_coalesced(table, now, guest.id)


def leave(table: Table, guest: int, now: float, *, lost: bool = False, excused: bool = False) -> tuple[Table, Outbox]:
    """Remove a guest from the table. A bot plays a seat while its player is away; before the match the seat becomes
    free.

    After a `lost` connection the seat waits for a grace before a bot plays. If the loss is `excused`, caused by the
    host's own machines, that takes none of the player's time.
    """
    table = replace(table, is_last_guest_lost=lost, seats=table.seats.without_watcher(guest))
    return broadcast_coalesced(_stand_up(table, guest, now if lost else None, excused=excused), now)


def remove(table: Table, name: str, now: float) -> tuple[Table, Outbox, int]:
    """Remove a player or spectator for good; also return their connection, -1 if they are not here. A bot gets their
    seat.

    Raises Illegal if nobody has that name.
    """
    seats, seat, guest = table.seats.remove(name)
    table = replace(table, seats=seats)
    if seat != NOBODY:
        table = _clear_pledge(replace(table, ready=table.ready - {seat}, proposal=None), seat)
        if table.is_reserving_seats:
            table = replace(table, seats=table.seats.put_bot(seat, DEFAULT))
    return *broadcast_coalesced(table, now), guest


def _restart_grace_if_deserted(table: Table, now: float) -> Table:
    """Restart the grace of lost players as a guest arrives at a deserted table: no time has passed there."""
    return replace(table, seats=table.seats.restart_grace(now)) if table.deserted else table


def _stand_up(table: Table, guest: int, lost_at: float | None, *, excused: bool = False) -> Table:
    seat = table.seats.at(guest)
    seats = table.seats.stand_up(guest, lost_at=lost_at, excused=excused, keep_reserved=table.is_reserving_seats)
    proposal = table.proposal if seat == NOBODY else None
    table = replace(table, seats=seats, ready=table.ready - {seat}, proposal=proposal)
    return table if seat == NOBODY or (table.is_reserving_seats and not table.over) else _clear_pledge(table, seat)


def _clear_pledge(table: Table, seat: int) -> Table:
    return table.with_shuffle(table.recorded.shuffle.pledge(seat, ""))


SUBSTITUTE = "greedy"
"""The bot that plays for a player who is away or out of time; it never has to think."""


def delay(table: Table, now: float, *, thinking: bool = False) -> float | None:
    """Return the seconds until `step` is due; None while the table waits for a human player, is paused, or deserted.

    While a bot is `thinking` about its turn, play waits for it.
    """
    next_due = min(
        (due_at for due_at in (_due(table, now, thinking=thinking), table.coalesced_update_at) if due_at is not None),
        default=None,
    )
    return None if next_due is None else max(0.0, next_due - now)


def has_thinking_bot(table: Table) -> bool:
    """Return True if the bot on turn thinks, may act, and has a choice."""
    match, seat = table.match, table.recorded.turn
    if match is None or table.deserted or table.paused or seat == NOBODY or len(match.legal) < 2:
        return False
    return table.seats.chairs[seat].bot in EFFORTS


def question(table: Table) -> Question:
    """Return the question for the bot on turn, if `has_thinking_bot` returns True."""
    return table.recorded.question(table.seats.chairs[table.recorded.turn].bot)


def step(table: Table, now: float, thought: Action | None = None, *, thinking: bool = False) -> tuple[Table, Outbox]:
    """Apply what is due once `delay` is over: a bot's action, also for a player out of time, a deal, or an update.

    `thought` is the action of the bot on turn, if it thinks.
    """
    due = _due(table, now, thinking=thinking)
    if table.coalesced_update_at is not None and (due is None or table.coalesced_update_at < due):
        return broadcast(replace(table, arrival_allowance=table.arrival_allowance.spend(1, now)), now)
    if due is None:
        return table, []
    seat = table.recorded.turn
    if seat == NOBODY:
        return deal_round(table, now)
    chair = table.seats.chairs[seat]
    timed_out_seat = seat if chair.guest != NOBODY else NOBODY
    action = thought or table.recorded.bot_action(chair.bot or SUBSTITUTE)
    recorded, events = table.recorded.apply(action)
    proposal = table.proposal if chair.bot and recorded.turn != NOBODY else None
    table = replace(table, recorded=recorded, proposal=proposal)
    return broadcast(
        replace(table, skipping=table.skipping and table.is_awaiting_bot), now, events, timed_out=timed_out_seat
    )


def _due(table: Table, now: float, *, thinking: bool) -> float | None:
    """Return the time at which `step` is due for play, without updates."""
    if table.deserted or thinking:
        return None
    if table.recorded.is_awaiting_reveals:
        return table.since + table.pace.shuffle
    if table.match is None or table.match.over or table.paused:
        return None
    seat = table.recorded.turn
    if seat == NOBODY:
        return table.since + table.pace.result if table.all_ready else None
    chair = table.seats.chairs[seat]
    drawing = table.match.state and table.match.state.drawn
    pace = 0.0 if table.skipping else SPEEDS[table.speed] * (pace_of(chair.name) if chair.bot else 1.0)
    bot_due_at = table.since + pace * (table.pace.draw if drawing else table.pace.think)
    if table.is_awaiting_bot:
        return bot_due_at
    seconds_left = None if chair.excused else table.clock.seconds_left(seat, now)
    due_times = [now + seconds_left] if seconds_left is not None else []
    if chair.lost_at is not None:
        due_times.append(max(bot_due_at, chair.lost_at + table.pace.grace))
    return min(due_times, default=None)


def take_back(table: Table, guest: int, proposer: int, now: float) -> tuple[Table, Outbox]:
    """Take back the last choice of a guest's own seat, or agree that the seat `proposer` does. Raises Illegal."""
    seat = table.seats.at(guest)
    if seat == NOBODY:
        raise Illegal(words("You are watching; only seated players can take something back."))
    if not table.terms.take_back:
        raise Illegal(words("This table was opened without taking back."))
    match = table.match
    if match is None or not table.recorded.in_progress:
        raise Illegal(words("No round is being played."))
    if table.paused:
        raise Illegal(words("The table is paused."))
    if proposer == seat:
        humans = _human_seats(table)
        proposal = _new_proposal(table, seat, lambda: public_action(last_choice(match, seat, humans)[1]), humans)
    else:
        proposal = _add_agreement(seat, _proposal_of(table, proposer, hints=False))
    if _other_human_seats(table, proposal.seat) <= set(proposal.agreed):
        return _apply_take_back(table, match, proposal.seat, now)
    return broadcast_coalesced(replace(table, proposal=proposal), now, guest)


def allow_hints(table: Table, guest: int, proposer: int, now: float) -> tuple[Table, Outbox]:
    """Propose to allow hints, or agree to the proposal of the seat `proposer`. Raises Illegal if hints are
    allowed.
    """
    seat = table.seats.at(guest)
    if seat == NOBODY:
        raise Illegal(words("You are watching; only seated players can ask for hints."))
    if table.terms.hints:
        raise Illegal(words("Hints are allowed at this table already."))
    if proposer == seat:
        proposal = _new_proposal(table, seat, lambda: None, _human_seats(table))
    else:
        proposal = _add_agreement(seat, _proposal_of(table, proposer, hints=True))
    if _other_human_seats(table, proposal.seat) <= set(proposal.agreed):
        table = replace(table, terms=replace(table.terms, hints=True), proposal=None)
    else:
        table = replace(table, proposal=proposal)
    return broadcast_coalesced(table, now, guest)


def _new_proposal(table: Table, seat: int, choice: Callable[[], Action | None], required: set[int]) -> Proposal:
    """Return a new proposal to the `required` seats; `choice` returns the action to take back, or None.

    Raises Illegal if it is impossible or too early, or if a required player is away.
    """
    if table.proposal is not None and table.proposal.seat == seat:
        raise Illegal(words("The others have not all agreed yet."))
    if table.proposal is not None:
        raise Illegal(words("{seat} has asked everybody something; answer that first.", seat=table.proposal.seat))
    proposal = Proposal(seat, choice())
    for other in sorted(required - {seat}):
        if table.seats.chairs[other].away:
            raise Illegal(words("{seat} is away, and all players must agree.", seat=other))
    return proposal


def _proposal_of(table: Table, proposer: int, *, hints: bool) -> Proposal | None:
    """Return the open proposal of a seat to take back or, with `hints`, to allow hints; None if there is none."""
    proposal = table.proposal
    if proposal is None or proposal.seat != proposer or proposal.ends or (proposal.action is None) != hints:
        return None
    return proposal


def _add_agreement(seat: int, proposal: Proposal | None) -> Proposal:
    """Return the proposal of another seat, with one more agreement. Raises Illegal without one."""
    if proposal is None:
        raise Illegal(words("There is nothing left to agree to."))
    return replace(proposal, agreed=tuple(sorted({*proposal.agreed, seat})))


def _apply_take_back(table: Table, match: Match, seat: int, now: float) -> tuple[Table, Outbox]:
    recorded, events = table.recorded.take_back(seat, _human_seats(table))
    clock = table.clock.return_to(seat, now) if _has_turn_ended(match, recorded.match, seat) else table.clock
    table_after = replace(
        table, recorded=recorded, clock=clock, clock_turn=recorded.moment, proposal=None, skipping=False
    )
    return broadcast(table_after, now, events)


def _has_turn_ended(match: Match, match_after: Match | None, seat: int) -> bool:
    """Return True if the turn in which a seat had the choice was over, so that the seat gets it again."""
    later_steps = match.past[len(match_after.past) :] if match_after else ()
    return match.turn != seat or any(earlier_match.turn != seat for earlier_match, _action in later_steps)


def _human_seats(table: Table) -> set[int]:
    """Return the seats of human players, present or not."""
    return {seat for seat, chair in enumerate(table.seats.chairs) if not (chair.bot or chair.free)}


def _present_human_seats(table: Table, now: float) -> set[int]:
    """Return the seats of human players who are here or awaited."""
    lost_after = now - table.pace.grace
    chairs = table.seats.chairs
    return {seat for seat in _human_seats(table) if not chairs[seat].away or chairs[seat].is_awaited(lost_after)}


def _other_human_seats(table: Table, seat: int) -> set[int]:
    """Return the human seats besides `seat`: those that must agree with its proposal."""
    return _human_seats(table) - {seat}
