"""No leaks: whole matches over the protocol, and every byte to every guest compared with the facts they may know.

`BONEYARD_LONG=1 ./scripts/test tests/net/test_leaks.py` plays 40 matches of every game instead of one of each kind,
for some ten minutes.
"""

import asyncio
import logging
import os
from random import Random

import pytest
from msgspec.structs import replace

from core.actions import Drew
from core.bots.levels import random_bot
from core.combos.state import ComboState
from core.fair import deal_order
from core.games import GAMES
from core.layout.state import State
from core.match import Match, new_match
from core.patience.state import PatienceState
from core.tiles import Tile
from core.words import Illegal, words
from net.client.client import Client
from net.client.verify_match import RecordVerifier
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.players.accounts import Accounts
from net.storage.sqlite import Store
from net.table import transitions
from net.table.table import Table
from net.wire.link import memory_pair
from net.wire.messages import Entered, Greeting, MakeTable, Record, Sit, Tables, Update
from tests.net.crowd import Crowd
from tests.net.oracle import Leak, hidden_from, tiles_named
from tests.net.party import AT_LEISURE, quick
from tests.net.people import random_rules

LONG = bool(os.environ.get("BONEYARD_LONG"))
MATCHES = 40 if LONG else 1
MAX_MATCHES = 8 * MATCHES
POSITIONS = 40 if LONG else 4
GAMES_OF_EACH_KIND = ("draw", "stakes", "blind-hughie", "jie-long", "moon", "tien-gow", "patience")
"""Games that hide different things: hands, a boneyard, the own tiles, tiles face down, a widow, tiles put away."""


@pytest.mark.parametrize("game", GAMES if LONG else GAMES_OF_EACH_KIND)
def test_every_guest_is_sent_only_permitted_facts(game, caplog):
    caplog.set_level(logging.DEBUG)
    messages = taken_back = seed = 0
    while seed < MATCHES or (
        not taken_back and seed < MAX_MATCHES
    ):  # some games have few choices, and so little to take back
        crowd = Crowd(seed, game, short=not LONG or seed % 2 == 0)
        crowd.play_match()
        messages += crowd.messages_sent
        taken_back += crowd.actions_taken_back
        assert is_harmless_log(caplog.text, crowd.all_secrets())
        caplog.clear()
        seed += 1
    assert messages > 50 * MATCHES  # every match sends much more; an idle crowd proves nothing
    assert taken_back


def is_harmless_log(log: str, secrets: list[str]) -> bool:
    return not tiles_named(log) and not any(secret in log for secret in secrets)


# A view depends on no fact that is hidden from its seat: neither tiles, order, counts nor sentences.


@pytest.mark.parametrize("game", GAMES)
def test_a_view_is_independent_of_hidden_tiles(game):
    rng = Random(game)
    positions = 0
    for _ in range(POSITIONS):
        players, options = random_rules(rng, game, short=True)
        for match in sample_positions(rng, game, players, options):
            for seat in range(-1, players):
                dealt_anew = deal_hidden_anew(rng, match, seat)
                assert dealt_anew.view(seat) == match.view(seat)
            positions += 1
    assert positions > (10 if GAMES[game].seats[1] > 1 else 2)


def sample_positions(rng, game, players, options):
    """Play randomly; yield the match at about every tenth step, if a round is being played."""
    match = new_match(GAMES[game], players, options)
    for number in range(600):
        if match.over:
            return
        if match.is_deal_due:
            order, lot = deal_order(match.rules.tiles, players, b"%d" % rng.getrandbits(32), match.deals + 1)
            match, _ = match.deal(order, lot)
        else:
            match, _ = match.apply(random_bot(match.view(match.turn), rng))
        if number % 10 == 0 and match.state and not match.state.result:
            yield match


def deal_hidden_anew(rng: Random, match: Match, seat: int) -> Match:
    """Return the same moment with all facts hidden from a seat dealt anew, and the legal actions recomputed."""
    state = match.state
    if isinstance(state, PatienceState):
        return replace(match, state=deal_patience_anew(rng, match, seat))
    if isinstance(state, State) and match.rules.turns.blind:
        return replace(match, state=replace(state, hands=deal_rows_anew(rng, state)))
    if isinstance(state, ComboState):
        return replace(match, state=deal_combos_anew(rng, state, seat))
    shed = getattr(state, "shed", ())
    tiles = [
        *(tile for hands in (state.hands, shed) for n, hand in enumerate(hands) if n != seat for tile in hand),
        *getattr(state, "boneyard", ()),
    ]
    rng.shuffle(tiles)
    hands = []
    for number, hand in enumerate(state.hands):
        hands.append(hand if number == seat else tuple(sorted(tiles.pop() for _ in hand)))
    new_hands = {"hands": tuple(hands)}
    if isinstance(state, State):
        new_hands["shed"] = tuple(
            down if number == seat else tuple(tiles.pop() for _ in down) for number, down in enumerate(shed)
        )
        new_hands["boneyard"] = tuple(tiles)
    new_state = replace(state, **new_hands)
    if state.turn == seat:
        completed = match.rules.complete(new_state)
        if not completed.result:  # a round ends, by the rules, when no hand has a tile that fits
            new_state = completed
    return replace(match, state=new_state)


def deal_patience_anew(rng: Random, match: Match, seat: int) -> PatienceState:
    """Return a patience with another boneyard, and for a spectator another hand too."""
    laid = match.state.laid
    hand_size = len(laid.hand) if seat != 0 else 0
    tiles = [*laid.boneyard, *(laid.hand if hand_size else ())]
    rng.shuffle(tiles)
    hand = tuple(sorted(tiles[:hand_size])) if hand_size else laid.hand
    new_laid = replace(laid, boneyard=tuple(tiles[hand_size:]), hand=hand)
    return match.rules.complete(new_laid) if seat == 0 else replace(match.state, laid=new_laid)


def deal_rows_anew(rng: Random, state: State) -> tuple[tuple[Tile, ...], ...]:
    """Return rows of a blind game with all tiles face down dealt anew, the own ones too."""
    visible = {state.hands[state.turn][0], *state.up}
    down = [tile for row in state.hands for tile in row if tile not in visible]
    rng.shuffle(down)
    return tuple(tuple(tile if tile in visible else down.pop() for tile in row) for row in state.hands)


def deal_combos_anew(rng: Random, state: ComboState, seat: int) -> ComboState:
    """Return hands and tiles face down dealt anew, except for one seat."""
    hidden = [tile for n, hand in enumerate(state.hands) if n != seat for tile in hand]
    hidden += [tile for n, down in enumerate(state.down) if n != seat for tile in down]
    rng.shuffle(hidden)

    def anew(puts):
        return tuple(
            put if put.up or put.seat == seat else replace(put, tiles=tuple(sorted(hidden.pop() for _ in put.tiles)))
            for put in puts
        )

    hands = tuple(
        hand if n == seat else tuple(sorted(hidden.pop() for _ in hand)) for n, hand in enumerate(state.hands)
    )
    tricks = tuple(replace(trick, puts=anew(trick.puts)) for trick in state.tricks)
    return replace(state, hands=hands, trick=anew(state.trick), tricks=tricks)


# A real host: links, a store, a log.


async def test_the_log_of_a_host_names_no_tile_and_no_secret(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    store = Store(tmp_path)
    secret = b"the host's secret, 32 bytes long"
    host = Server(Lobby(Accounts(), new_secret=lambda: secret, software="test", pace=AT_LEISURE, clock=quick), store)
    ended = asyncio.Event()
    clients = []

    def handle(client, message):
        match message:
            case Greeting(name=name):
                client.enter(name)
            case Entered() if client is clients[0]:
                client.make_table(MakeTable("draw", 2, {"target": 50}, private=True))
            case Tables(tables=(table,), yours=-1) if table.phase == "waiting" and client is clients[1]:
                client._send(Sit(table.id, host.lobby.tables[table.id].terms.code))
            case Update(match=match) if match and match.play.legal:
                client.act(match.play.legal[-1])
            case Update(match=match, ready=ready, seat=seat) if match and not match.over and match.play.result:
                if seat not in ready:
                    client.ready()
            case Record(last=True):
                ended.set()

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        for name in ("ada", "bela"):
            ours, theirs = memory_pair()
            group.create_task(host.serve(theirs, Visitor(name, f"SHA256:key-of-{name}")))
            client = Client(ours, "test", entropy=lambda size: b"s" * size)
            client.subscribe(lambda message, client=client: handle(client, message))
            clients.append(client)
            RecordVerifier(client, tmp_path / name)
            group.create_task(client.run())
        ours, theirs = memory_pair()
        group.create_task(host.serve(theirs, Visitor("mallory", "SHA256:key-of-mallory")))
        ours.send(b"\xc1 no message")
        await ended.wait()
        code = next(iter(host.lobby.tables.values())).terms.code
        host.close()
    store.close()
    secrets = [secret.hex(), secret.decode(), "SHA256:key-of", code, (b"s" * 32).hex()]
    assert "no-message" in caplog.text
    assert is_harmless_log(caplog.text, secrets)


# Leaks on purpose: without them the oracle would prove nothing.


def leak_found(game="draw", seeds=range(6)) -> str:
    """Return the words with which the oracle stops matches of a game."""
    with pytest.raises(Leak) as leak:
        play_matches(game, seeds)
    return str(leak.value)


def play_matches(game, seeds):
    for seed in seeds:
        Crowd(seed, game).play_match()


def test_the_view_of_another_seat_is_caught(monkeypatch):
    honest_view = Match.view
    monkeypatch.setattr(Match, "view", lambda match, seat: honest_view(match, (seat + 1) % match.rules.seats))

    assert "not for seat" in leak_found()


@pytest.mark.parametrize("game", ["draw", "forty-two"])
def test_the_hand_of_another_seat_in_an_honest_view_is_caught(monkeypatch, game):
    honest_view = Match.view

    def view(match, seat):
        honest = honest_view(match, seat)
        if honest.play is None or seat < 0:
            return honest
        return replace(honest, play=replace(honest.play, hand=match.state.hands[(seat + 1) % match.rules.seats]))

    monkeypatch.setattr(Match, "view", view)

    assert ".hand" in leak_found(game)


def test_drawn_tiles_sent_to_others_are_caught(monkeypatch):
    monkeypatch.setattr(transitions, "cut", lambda event, seat: event)

    assert "drew" in leak_found()


def test_one_tile_of_the_boneyard_among_the_events_is_caught(monkeypatch):
    broadcast = transitions.broadcast

    def leaky_broadcast(table, now, events=(), **others):
        state = table.match.state if table.match else None
        if state and state.boneyard and not state.result:
            events = (*events, Drew(0, 1, state.boneyard[:1]))
        return broadcast(table, now, events, **others)

    monkeypatch.setattr(transitions, "broadcast", leaky_broadcast)

    assert leak_found()


def test_legal_actions_of_a_seat_sent_to_a_spectator_are_caught(monkeypatch):
    honest_view = Match.view

    def view(match, seat):
        honest = honest_view(match, seat)
        return replace(honest, play=replace(honest.play, legal=match.legal)) if honest.play else honest

    monkeypatch.setattr(Match, "view", view)

    assert "legal" in leak_found()


def test_a_refusal_that_names_a_held_tile_is_caught(monkeypatch):
    honest_apply = Match.apply

    def apply(match, action):
        try:
            return honest_apply(match, action)
        except Illegal:
            tiles = [str(hand[0]) for seat, hand in enumerate(match.state.hands) if seat != match.turn and hand]
            raise Illegal(words("You cannot; but {tile} could.", tile=tiles[0])) from None

    monkeypatch.setattr(Match, "apply", apply)

    assert "reason" in leak_found(seeds=range(17, 40))  # earlier seeds hold no refusal that would name a tile


def test_a_record_of_a_running_match_is_caught(monkeypatch):
    def recall(table, guest):
        return [(guest, Record(table.id, table.recorded.lines, True))]

    monkeypatch.setattr(transitions, "recall", recall)

    assert "lines" in leak_found()


def test_the_code_of_a_private_table_sent_to_strangers_is_caught(monkeypatch):
    info = Table.info
    monkeypatch.setattr(Table, "info", lambda table, now: replace(info(table, now), name=f"code {table.terms.code}"))

    assert "private table" in leak_found(seeds=range(10))


def test_an_undescribed_field_is_caught(monkeypatch):
    wire = transitions.Update

    class Update(wire, frozen=True, tag="update"):
        hint: str = "you will like the next tile"

    monkeypatch.setattr(transitions, "Update", Update)
    monkeypatch.setattr("tests.net.people.decode_untrusted", lambda payload: AnyMessage())
    with pytest.raises((Leak, AssertionError)):
        Crowd(0, "draw").play_match()


class AnyMessage:
    """A message that equals every other."""

    def __eq__(self, other):
        return True

    __hash__ = None


def test_a_secret_in_the_log_is_caught():
    assert not is_harmless_log("bela drew 6|4", [])
    assert not is_harmless_log("the code is k7qx2m", ["k7qx2m"])
    assert is_harmless_log("at 2026-11-20, 12:30 from 192.0.2.7", ["k7qx2m"])


def test_hidden_tiles_are_all_that_a_seat_cannot_see():
    crowd = Crowd(1, "draw", disturbance_rate=0)
    crowd.play_match()
    table = crowd.table_now
    visible = set(table.match.state.hands[0]) | {placed.tile for placed in table.match.state.layout}
    assert set(hidden_from(table, 0)) | visible == set(table.match.rules.tiles)
