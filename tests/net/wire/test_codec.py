"""Framing and packing: any bytes of a stranger are a message or a WireError."""

import contextlib

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from net.limits import MAX_DEPTH, MAX_FRAME
from net.wire.link import Unframer, WireError, frame, pack, unpack


class Ping(Struct, frozen=True, tag="ping"):
    number: int = 0


@given(st.lists(st.binary(max_size=200)), st.integers(1, 17))
def test_frames_come_out_whole_however_the_stream_is_cut(payloads, step):
    stream = b"".join(map(frame, payloads))
    unframer = Unframer()

    unframed = []
    for start in range(0, len(stream), step):
        unframed += unframer.feed(stream[start : start + step])

    assert unframed == payloads


def test_a_frame_over_the_limit_is_refused_at_its_length():
    with pytest.raises(WireError, match="longer than"):
        Unframer().feed((MAX_FRAME + 1).to_bytes(4, "big"))


def test_a_message_comes_back_as_it_went():
    assert unpack(pack(Ping(3)), Ping) == Ping(3)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        b"\xff" * 40,
        b"\x91" * 2000 + b"\xc0",
        msgpack.packb([1] * 5000),
        msgpack.packb({1: 2}),
        msgpack.packb({"type": "ping", "number": "3"}),
        msgpack.packb({"type": "ping", "number": True}),
        msgpack.packb({"type": "pong"}),
        msgpack.packb({"type": "ping"}) + b"\x00",
        msgpack.packb(msgpack.ExtType(5, b"x")),
    ],
)
def test_bytes_that_are_no_message_are_refused(payload):
    with pytest.raises(WireError):
        unpack(payload, Ping)


def test_deep_nesting_is_refused():
    deep: object = 0
    for _ in range(MAX_DEPTH + 2):
        deep = [deep]

    with pytest.raises(WireError, match="deeper"):
        unpack(msgpack.packb(deep), Ping)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_message_or_a_wire_error(payload):
    with contextlib.suppress(WireError):
        unpack(payload, Ping)
