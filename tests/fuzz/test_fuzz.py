"""The short run of `scripts/fuzz`: the seeds, and a few thousand mutations of them, always the same."""

from itertools import islice
from random import Random

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from net.wire.link import Unframer, frame, unpack
from net.wire.messages import ToClient, ToHost
from tests.fuzz.checked import Fault, close_loop
from tests.fuzz.seeds import inputs, seeds
from tests.fuzz.targets import TARGETS, client, keys, lobby, wire
from tests.fuzz.values import made


@pytest.fixture(autouse=True, scope="module")
def _loop():
    yield
    close_loop()


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_and_their_mutations_do_no_harm(name):
    tries(TARGETS[name], TARGETS[name].short)


def test_the_seeds_have_every_message():
    to_client = {
        type(unpack(payload, ToClient)) for data in seeds("client").values() for payload in Unframer().feed(data)
    }
    assert to_client == set(ToClient.__args__)
    stream = seeds("wire")["stream"]
    assert {type(unpack(payload, ToHost)) for payload in Unframer().feed(stream)} == set(ToHost.__args__)


# Messages of the right shape that mean nothing.


@settings(max_examples=8, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**32)), max_size=12))
def test_a_house_stays_in_order_whatever_well_formed_nonsense_guests_say(said):
    start = msgpack.unpackb(seeds("lobby")["two"])
    program = start + [[guest, made(Random(seed), ToHost)] for guest, seed in said]
    lobby(msgpack.packb(program))


@settings(max_examples=15, derandomize=True)
@given(st.lists(st.integers(0, 2**32), max_size=8))
def test_a_client_hears_out_whatever_well_formed_nonsense_a_host_says(said):
    client(b"".join(frame(msgpack.packb(made(Random(seed), ToClient))) for seed in said))


@settings(max_examples=50, derandomize=True)
@given(st.recursive(st.none() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=5), st.lists, max_leaves=40))
def test_any_value_is_a_message_or_a_wire_error(value):
    wire(msgpack.packb(value))


@settings(max_examples=50, derandomize=True)
@given(
    st.lists(st.sampled_from([b"\x1b", b"[", b"200~", b"201~", b"<", b";", b"9", b"M", b"]", b"P", b"u", b"\xc2"]))
)
def test_pieces_of_sequences_in_any_order_do_no_harm(pieces):
    keys(b"".join(pieces))


# Faults on purpose: what would not be found would prove nothing.


def found(name, most=400):
    with pytest.raises((Fault, TypeError, KeyError)):
        tries(TARGETS[name], most)


def tries(target, most):
    for data in islice(inputs(target, Random(1)), most):
        target.one(data)


def test_a_lobby_that_seats_somebody_twice_is_found_out(monkeypatch):
    monkeypatch.setattr("net.table.table.Seats.of", lambda seats, token: -1)
    found("lobby")


def test_a_decoder_that_raises_something_else_is_found_out(monkeypatch):
    monkeypatch.setattr("net.wire.link._check_depth", lambda value: value["type"])
    found("wire")


def test_a_parser_that_forgets_a_key_is_found_out(monkeypatch):
    monkeypatch.setattr("tui.terminal.driver.TerminalDriver._hear", lambda driver, message: None)
    found("keys")


def test_a_table_host_that_believes_a_line_too_much_is_found_out(monkeypatch):
    monkeypatch.setattr("net.cluster.tables_end.TablesEnd._over", lambda end: None)
    monkeypatch.setattr("tests.fuzz.nodes.PATIENCE", 0.5)  # more would be waited for in vain
    with pytest.raises((TimeoutError, ExceptionGroup)):
        tries(TARGETS["lines"], 10)


def test_a_reader_of_headers_that_asks_for_too_much_is_found_out(monkeypatch):
    monkeypatch.setattr("tests.fuzz.nodes.missing", lambda data: 5000)
    found("proxy")
