"""The order of work: classes in order, in each the owner who used least; no work is lost or starved."""

from collections import Counter
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from net.limits import MOVE_AHEAD, MOVE_SHARE, OPENINGS_AT_ONCE, OPENINGS_PER_SECOND, OPENINGS_WAITING, Limits
from net.scheduler import (
    BUSY_BURST,
    BUSY_PAUSE,
    CPU_AT_ONCE,
    HANDSHAKES_AT_ONCE,
    OPENING_TIMEOUT,
    RETRY_DELAY,
    FullError,
    Outcome,
    Piece,
    Scheduler,
    Work,
    new_owner,
)
from tests.net.simulation import Fifo, Process

SECONDS = 20.0
"""Seconds of each attack."""
WARM_UP = 3.0
"""Seconds of the attack before the waiting times of honest guests count."""


def flood_from_one_network(process):
    """Open new connections, twice as many as the core can bear; up to the limit of unauthenticated ones may wait."""
    process.call_every(1 / 300, lambda: connect(process, "flood"), SECONDS)


def flood_from_500_networks(process):
    names = (str(number % 500) for number in range(10**6))
    process.call_every(1 / 300, lambda: connect(process, next(names)), SECONDS)


def connect(process, name):
    """Ask for the turn of a new connection, unless too many are unauthenticated."""
    if process.strangers < Limits().unauthenticated:
        process.submit_work(Work.STRANGER, name, 0.006)


def endless_openings(process):
    process.call_every(1 / 30, lambda: process.submit_work(Work.OPENING, "flood", 0.025), SECONDS)


def held_keys(process):
    """Let 20 sessions hold a key, whose next press is taken once the last was answered."""
    for number in range(20):
        repeat_work(process, Work.KEY, f"masher{number}", 0.005)


def endless_key_exchanges(process):
    """Let 20 connections from 4 networks ask for new keys as soon as they have them."""
    for number in range(20):
        repeat_work(process, Work.STRANGER, f"net{number % 4}", 0.004, begins=False)


def endless_lobby_requests(process):
    for number in range(40):
        repeat_work(process, Work.LIST, f"watcher{number}", 0.004)


def endless_input(process):
    """Let 20 connections send without a pause."""
    for number in range(20):
        repeat_work(process, Work.INPUT, f"sender{number}", 0.003)


def repeat_work(process, work, name, seconds, **options):
    """Submit work of `seconds` at the start, and again whenever it is done."""

    def submit():
        process.submit_work(work, name, seconds, then=submit, **options)

    process.call_later(0, submit)


def longest_waits(scheduler_type, attack):
    """Return the longest wait of honest guests, by class, once the attack has used up its first bursts.

    `scheduler_type`: `Scheduler`, or `Fifo` for comparison.
    """
    process = Process(scheduler_type)
    attack(process)
    count = iter(range(10**6))
    process.call_every(
        0.1, lambda: process.submit_work(Work.KEY, f"guest{next(count) % 10}", 0.002, honest=True), SECONDS
    )
    process.call_every(
        0.3, lambda: process.submit_work(Work.ANSWER, f"guest{next(count) % 10}", 0.002, honest=True), SECONDS
    )
    process.call_every(0.3, process.scheduler.note_move, SECONDS)
    process.call_every(
        1.0, lambda: process.submit_work(Work.STRANGER, f"home{next(count)}", 0.006, honest=True), SECONDS, 0.5
    )
    process.call_every(
        1.5, lambda: process.submit_work(Work.OPENING, f"home{next(count)}", 0.03, honest=True), SECONDS, 0.5
    )
    process.call_later(WARM_UP, process.waits.clear)
    process.run(SECONDS)
    return {work: max(waits) for work, waits in process.waits.items()}


@pytest.mark.parametrize(
    ("attack", "max_waits"),
    [
        (flood_from_one_network, {Work.KEY: 0.02, Work.ANSWER: 0.02, Work.OPENING: 0.1, Work.STRANGER: 0.5}),
        (flood_from_500_networks, {Work.KEY: 0.02, Work.ANSWER: 0.02, Work.OPENING: 0.1, Work.STRANGER: 5}),
        (endless_openings, {Work.KEY: 0.06, Work.ANSWER: 0.08, Work.STRANGER: 0.3, Work.OPENING: 0.5}),
        (held_keys, {Work.KEY: 0.03, Work.ANSWER: 0.03, Work.STRANGER: 0.3, Work.OPENING: 0.1}),
        (endless_key_exchanges, {Work.KEY: 0.02, Work.ANSWER: 0.02, Work.STRANGER: 0.5, Work.OPENING: 0.1}),
        (endless_lobby_requests, {Work.KEY: 0.01, Work.ANSWER: 0.02, Work.STRANGER: 0.3, Work.OPENING: 0.1}),
        (endless_input, {Work.KEY: 0.01, Work.ANSWER: 0.02, Work.STRANGER: 0.3, Work.OPENING: 0.1}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_players_at_an_ordinary_rate_hardly_wait_during_an_attack(attack, max_waits):
    waits, waits_in_a_fifo = longest_waits(Scheduler, attack), longest_waits(Fifo, attack)
    assert waits.keys() >= max_waits.keys()
    assert all(waits[work] <= seconds for work, seconds in max_waits.items())
    assert waits_in_a_fifo[Work.KEY] > 2 * waits[Work.KEY]


def test_a_newcomer_waits_less_than_a_second_during_a_flood_from_many_networks():
    process = Process()
    names = (str(number) for number in range(10**6))
    process.call_every(1 / 25, lambda: process.submit_work(Work.STRANGER, next(names), 0.006), SECONDS)
    process.call_later(5, lambda: process.submit_work(Work.STRANGER, "home", 0.006, honest=True))
    process.run(SECONDS)
    assert process.waits[Work.STRANGER][0] < 1


# One after the other


def submit_at_once(process, *pieces):
    """Submit pieces at one moment, while something else has this turn."""
    process.schedule(0)
    return [process.submit_work(work, name, cost) for work, name, cost in pieces]


def test_classes_go_in_their_order():
    process = Process()
    order = [Work.COLLECTING, Work.STRANGER, Work.INPUT, Work.OPENING, Work.LIST, Work.ANSWER, Work.KEY]
    submit_at_once(process, *((work, work.value, 0.0) for work in order))
    process.run(1)
    assert [work for work, _ in process.order] == order[::-1]


def test_the_owner_with_least_use_is_next_and_has_one_piece_per_turn():
    process = Process()
    process.sessions["flood"].spend(10, process.now)
    submit_at_once(
        process, (Work.KEY, "flood", 0), (Work.KEY, "flood", 0), (Work.KEY, "calm", 0), (Work.KEY, "calm", 0)
    )
    process.run(1)
    assert [name for _, name in process.order] == ["calm", "calm", "flood", "flood"]


def test_measured_time_counts_besides_the_number_of_requests():
    process = Process()
    process.submit_work(Work.KEY, "costly", 0.1)
    process.run(0.01)
    for _ in range(3):
        process.submit_work(Work.KEY, "cheap", 0)
        process.run(0.01)
    process.order.clear()
    submit_at_once(process, (Work.KEY, "costly", 0), (Work.KEY, "cheap", 0))
    process.run(1)
    assert [name for _, name in process.order] == ["cheap", "costly"]


def test_among_spectators_the_cheapest_is_next():
    process = Process()
    process.scheduler.charge(Work.LIST, process.sessions["costly"], 0.01)
    submit_at_once(process, (Work.LIST, "costly", 0), (Work.LIST, "calm", 0))
    process.run(1)
    assert [name for _, name in process.order] == ["calm", "costly"]


def test_work_of_a_lower_class_waits_at_most_0_1_seconds_behind_endless_keys():
    process = Process()

    def press_key():
        process.submit_work(Work.KEY, "keys", 0.001, then=press_key)
        process.sessions["keys"] = new_owner()

    press_key()
    process.submit_work(Work.ANSWER, "table", 0, honest=True)
    process.submit_work(Work.STRANGER, "home", 0, honest=True)
    process.run(0.2)
    assert 0 < process.waits[Work.ANSWER][0] < 0.012
    assert 0.05 < process.waits[Work.STRANGER][0] < 0.1


def test_each_turn_runs_at_most_one_of_the_pieces_that_have_waited_long():
    process = Process()
    submit_at_once(process, *((Work.ANSWER, str(number), 0.01) for number in range(4)))
    process.run(0.001)
    for count in range(1, 4):
        assert len(process.order) == count
        process.scheduler.run_turn()


def test_a_busy_owner_pauses_longer_after_an_expensive_piece():
    process = Process()
    process.sessions["busy"].spend(BUSY_BURST + 30, process.now)
    submit_at_once(process, (Work.KEY, "busy", 0), (Work.KEY, "busy", 0), (Work.KEY, "busy", 10 * BUSY_PAUSE))
    process.run(0.5 * BUSY_PAUSE)
    assert len(process.order) == 1
    process.submit_work(Work.KEY, "calm", 0)
    assert len(process.order) == 2
    process.run(BUSY_PAUSE)
    assert len(process.order) == 3


def test_a_busy_owner_waits_for_a_pending_move_and_no_other_does():
    process = Process()
    process.sessions["busy"].spend(BUSY_BURST + 10, process.now)
    process.scheduler.note_move()
    process.submit_work(Work.KEY, "busy", 0)
    process.submit_work(Work.LIST, "looks on", 0)
    process.submit_work(Work.STRANGER, "home", 0)
    process.submit_work(Work.KEY, "calm", 0)
    process.run(MOVE_AHEAD * 0.9)
    assert [name for _, name in process.order] == ["calm"]
    process.run(MOVE_AHEAD)
    assert sorted(name for _, name in process.order[1:]) == ["busy", "home", "looks on"]


def test_background_work_has_most_of_the_time_however_many_moves_there_are():
    process, waited, step = Process(), 0.0, MOVE_AHEAD / 8
    for _ in range(8000):
        process.scheduler.note_move()
        waited += min(step, process.scheduler.move_pause)
        process.now += step
    assert waited <= 8000 * step * MOVE_SHARE * 1.1


def test_a_burst_of_newcomers_enters_at_once_then_the_rarest_network_is_next():
    process = Process()
    process.scheduler.set_limits(Limits(handshakes_in_all=1))
    for _ in range(HANDSHAKES_AT_ONCE + 3):
        process.submit_work(Work.STRANGER, "again and again", 0)
    process.run(0.5)
    process.submit_work(Work.STRANGER, "friend", 0)
    assert len(process.order) == HANDSHAKES_AT_ONCE
    process.run(60)
    assert process.order[HANDSHAKES_AT_ONCE] == (Work.STRANGER, "friend")


def test_when_strangers_have_had_their_share_of_the_core_all_of_them_wait():
    process = Process()
    owner = process.scheduler.owner(Work.STRANGER, "costly")
    process.scheduler.charge(Work.STRANGER, owner, CPU_AT_ONCE + 0.1)
    assert process.scheduler.is_exhausted(Work.STRANGER)
    assert not process.scheduler.is_exhausted(Work.INPUT)
    for name in ("costly", "newcomer", "friend"):
        process.submit_work(Work.STRANGER, name, 0, begins=name == "newcomer")
    process.run(0.1 / Limits().strangers_share)
    assert not process.order
    process.run(1)
    assert [name for _, name in process.order] == ["newcomer", "friend", "costly"]


def test_a_connection_that_closed_meanwhile_costs_no_turn():
    process = Process()
    process.scheduler.set_limits(Limits(handshakes_in_all=1e-3))
    process.schedule(0)
    owner = process.scheduler.owner(Work.STRANGER, "gone")
    for _ in range(3 * HANDSHAKES_AT_ONCE):
        process.scheduler.submit(Piece(Work.STRANGER, owner, lambda: Outcome.GONE))
    process.submit_work(Work.STRANGER, "friend", 0)
    process.run(0.001)
    assert process.order == [(Work.STRANGER, "friend")]


def test_screens_are_opened_one_at_a_time_and_a_stuck_one_blocks_others_briefly():
    process, begun = Process(), []

    def submit_opening(name):
        def run():
            begun.append((name, process.now))
            return Outcome.DONE

        piece = Piece(Work.OPENING, process.scheduler.owner(Work.OPENING, name), run)
        process.scheduler.submit(piece)
        return piece

    first, second, third = (submit_opening(name) for name in "abc")
    process.run(0.1)
    assert [name for name, _ in begun] == ["a"]
    process.scheduler.cancel(first)
    assert [name for name, _ in begun] == ["a", "b"]
    process.run(OPENING_TIMEOUT / 2)
    process.scheduler.cancel(first)
    assert len(begun) == 2
    process.run(OPENING_TIMEOUT)
    assert [name for name, _ in begun] == ["a", "b", "c"]
    assert begun[2][1] - begun[1][1] == pytest.approx(OPENING_TIMEOUT, abs=0.01)
    for piece in (second, third):
        process.scheduler.cancel(piece)


def test_a_full_queue_drops_the_last_piece_of_its_largest_owner():
    process = Process()
    process.scheduler.submit(Piece(Work.OPENING, new_owner(), lambda: Outcome.DONE))
    for _ in range(OPENINGS_WAITING + 5):
        process.submit_work(Work.OPENING, "flood", 0)
    assert process.order == [("refused", "flood")] * 5
    process.submit_work(Work.OPENING, "friend", 0)
    assert process.order == [("refused", "flood")] * 6
    process.run(3)
    assert (Work.OPENING, "friend") in process.order


def test_a_cancelled_piece_gets_no_turn():
    process = Process()
    process.schedule(0)
    process.submit_work(Work.STRANGER, "waits", 0)
    process.scheduler.close(Work.STRANGER)
    process.submit_work(Work.STRANGER, "comes", 0)
    process.run(1)
    assert not process.order


def test_a_failing_piece_gets_its_turn_back_and_ends_nothing():
    process, attempts = Process(), []

    def fail_twice():
        attempts.append(process.now)
        if len(attempts) < 3:
            raise ValueError
        return Outcome.DONE

    process.scheduler.submit(Piece(Work.KEY, new_owner(), fail_twice))
    process.submit_work(Work.KEY, "other", 0)
    process.run(1)
    assert process.order == [(Work.KEY, "other")]
    assert len(attempts) == 3
    assert attempts[1] - attempts[0] == pytest.approx(RETRY_DELAY)
    assert [type(fault) for fault in process.failures] == [ValueError] * 2


def test_a_piece_that_is_submitted_again_in_its_turn_gets_another_turn():
    process, times = Process(), []

    def run():
        times.append(process.now)
        if len(times) == 1:
            process.scheduler.submit(piece)
        return Outcome.DONE

    piece = Piece(Work.KEY, new_owner(), run)
    process.scheduler.submit(piece)
    process.run(1)
    assert len(times) == 2


# Any order

arrivals = st.lists(
    st.tuples(
        st.sampled_from([work for work in Work if work is not Work.MOVE]),
        st.integers(0, 4),
        st.floats(0, 0.05),
        st.floats(0, 0.3),
        st.sampled_from(["done", "more", "fails", "gone", "hangs up", "forgets"]),
    ),
    max_size=60,
)


@given(arrivals)
def test_no_piece_is_lost_or_done_twice_and_limits_hold(arrivals):
    process, ended, begun = Process(), Counter(), []
    open_now = []

    def submit(number, work, name, cost, fate):
        runs_left = {"more": 3, "fails": 2}.get(fate, 1)

        def run():
            nonlocal runs_left
            runs_left -= 1
            process.now += cost
            if runs_left and fate == "fails":
                raise ValueError
            if fate == "gone":
                ended[number] += 1
                return Outcome.GONE
            if work is Work.OPENING:
                assert not open_now or process.now - open_now[0] >= OPENING_TIMEOUT
                open_now[:] = [process.now]
                begun.append(process.now)
                process.call_later(0, finish_opening)
            if runs_left:
                return Outcome.MORE
            ended[number] += 1
            return Outcome.DONE

        def finish_opening():
            open_now.clear()
            process.scheduler.cancel(piece)

        def note_refusal():
            ended[number] += 1

        piece = Piece(work, process.scheduler.owner(work, name), run, refuse=note_refusal)
        try:
            process.scheduler.submit(piece)
        except FullError:
            note_refusal()
        if fate == "forgets" and not ended[number]:
            process.scheduler.cancel(piece)
            process.scheduler.cancel(piece)
            ended[number] += 1

    time = 0.0
    for number, (work, name, cost, delay, fate) in enumerate(arrivals):
        time += delay
        work_fate = "done" if work is Work.OPENING and fate in ("more", "hangs up") else fate
        process.call_later(time, partial(submit, number, work, name, cost, work_fate))
    process.run(time + 120)
    assert ended == Counter(range(len(arrivals)))
    for index, start in enumerate(begun):
        openings = sum(start <= later_start <= start + 1 for later_start in begun[index:])
        assert openings <= OPENINGS_AT_ONCE + OPENINGS_PER_SECOND


@settings(max_examples=20)
@given(st.sampled_from([Work.KEY, Work.ANSWER, Work.LIST, Work.INPUT, Work.STRANGER]), st.integers(1, 30))
def test_no_owner_is_starved_by_endless_requests_of_others(work, others):
    process = Process()

    def submit_again(name):
        process.submit_work(work, name, 0.002, begins=False, then=lambda: submit_again(name))

    for number in range(others):
        submit_again(f"other{number}")
    process.sessions["guest"].spend(BUSY_BURST, process.now)
    process.submit_work(work, "guest", 0.002, honest=True)
    process.run(10)
    assert process.waits[work]
