"""Inputs of the fuzzer, as Hypothesis draws them: mutated seeds, and messages with absurd values."""

import json
from functools import cache

import msgpack
from hypothesis import strategies as st
from msgspec import inspect

from net.client.untrusted import decode_untrusted
from net.wire.link import Unframer, WireError, frame
from net.wire.messages import ToClient, ToHost

MAX_INPUT = 64 * 1024
"""Bytes of one input."""
DEPTH = 8
"""Levels of values within values, in which every list is empty."""
HEADS = bytes.fromhex("80 8f 90 9f a0 bf c0 c1 c4 c6 c7 c9 ca cb cf d3 d9 da db dc dd de df 00 7f ff 1b 9b")
"""Bytes that begin something in MessagePack or at a terminal."""
KEYS = [b"\x1b", b"\x1b[", b"\x1b[200~", b"\x1b[201~", b"\x1b[<", b";9", b"M", b"\x1b]", b"\x1bP", b"u", b"\xc2"]
"""Pieces of a terminal's output."""
NUMBERS = (0, 1, -1, 2, 3, 4, 5, 7, 127, 128, 255, 2**31, 10**9, 2**53, 2**63 - 1, -(2**63), 2**64 - 1)
TEXTS = (
    *("", "draw", "block", "forty-two", "mexican-train", "ada", "bela", "greedy", "random", "target", "yes"),
    *("a" * 64, "00" * 32, "x" * 10_000, "9" * 400, "²", "数字" * 20, "e" + "\u0301" * 500),
    *("\x1b[31m\x1b]52;c;aGk=\x07", "\x9b31m", "[@click=app.quit]x[/]", "[link=https://example.invalid]x[/link]"),
    *("{0.__class__} {seat} %s %n", "two\nlines\r\x00", "\u202eright to left\u2066\u200b\ufeff"),
)
INTEGERS = st.sampled_from(NUMBERS[:8]) | st.sampled_from(NUMBERS)
STRINGS = st.sampled_from(TEXTS)
FLOATS = st.sampled_from((0.0, -1.0, 1e308, float("inf"), float("-inf"), float("nan"), 0.1))
LEAVES = st.one_of(INTEGERS, STRINGS, FLOATS, st.none(), st.just(True), st.builds(list), st.builds(dict))
MOSTLY = st.sampled_from([True] * 9 + [False])
PIECES = st.binary(max_size=4) | st.sampled_from([*(bytes([head]) for head in HEADS), *KEYS])


@cache
def messages(message_type):
    """Return a strategy for the lists and dicts of messages of a type: valid for its fields, otherwise random."""
    return _strategy_for(inspect.type_info(message_type), 0)


def _strategy_for(info, depth):
    def below(field_type):
        return st.deferred(lambda: _strategy_for(field_type, depth + 1))

    max_items = 0 if depth > DEPTH else 4
    match info:
        case inspect.UnionType(types=types):
            return st.one_of([_strategy_for(member, depth) for member in types])
        case inspect.StructType(array_like=True):
            tag = [st.just(info.tag)] if info.tag is not None else []
            return st.tuples(*tag, *(below(field.type) for field in info.fields)).map(list)
        case inspect.StructType():
            tag = {info.tag_field: st.just(info.tag)} if info.tag is not None else {}
            return st.fixed_dictionaries(tag | {field.encode_name: below(field.type) for field in info.fields})
        case inspect.NamedTupleType():
            return st.tuples(*(below(field.type) for field in info.fields)).map(list)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return st.lists(below(item), max_size=max_items)
        case inspect.TupleType(item_types=items):
            return st.tuples(*map(below, items)).map(list)
        case inspect.DictType(value_type=value):
            return st.dictionaries(STRINGS, below(value), max_size=max_items)
        case inspect.LiteralType(values=values):
            return st.sampled_from(values)
    kinds = {inspect.IntType: INTEGERS, inspect.FloatType: FLOATS, inspect.BoolType: st.booleans()}
    return st.none() if isinstance(info, inspect.NoneType) else kinds.get(type(info), STRINGS)


@st.composite
def splice_seeds(draw, seeds):
    """Draw a seed in which some pieces are cut out, repeated, inserted, or taken from another seed."""
    data = bytearray(draw(st.sampled_from(seeds)))
    other_seed = draw(st.sampled_from(seeds))
    for place, length in draw(
        st.lists(st.tuples(st.integers(0, MAX_INPUT), st.integers(0, 64)), min_size=1, max_size=8)
    ):
        start = place % (len(data) + 1)
        piece = draw(PIECES | st.sampled_from([data[start : start + length] * 2, other_seed[start : start + length]]))
        data[start : start + draw(st.sampled_from([0, length]))] = piece
    return bytes(data[:MAX_INPUT])


@st.composite
def change_value(draw, value):
    """Draw a value that differs in one place, however deep."""
    if isinstance(value, dict) and value and draw(MOSTLY):
        key = draw(st.sampled_from(sorted(value)))
        if draw(MOSTLY):
            return value | {key: draw(change_value(value[key]))}
        return {name: inner for name, inner in value.items() if name != key} | draw(st.sampled_from([{}, {"x": 1}]))
    if isinstance(value, list) and value and draw(MOSTLY):
        index = draw(st.integers(0, len(value) - 1))
        places = [[], [value[index]] * 3, [value[index]] * 50, value[index - 1 : index], None, None, None, None]
        place = draw(st.sampled_from(places))
        return [
            *value[:index],
            *([draw(change_value(value[index]))] if place is None else place),
            *value[index + 1 :],
        ]
    if isinstance(value, bytes) and value:
        return draw(change_packed([value]))
    if isinstance(value, int) and not isinstance(value, bool) and draw(st.booleans()):
        return value + draw(st.sampled_from((1, -1, 2, 10)))
    return draw(LEAVES)


@st.composite
def change_packed(draw, seeds):
    """Draw a packed seed that is changed in some places, or bytes."""
    try:
        value = msgpack.unpackb(draw(st.sampled_from(seeds)))
        for _ in range(draw(st.sampled_from((1, 1, 2, 5)))):
            value = draw(change_value(value))
        return msgpack.packb(value)
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException):
        return draw(splice_seeds(seeds))


@st.composite
def talk(draw, seeds):
    """Draw messages of guests of a lobby: a seed, with other steps inserted anywhere."""
    program = msgpack.unpackb(draw(st.sampled_from(seeds)))
    messages_of_seed = [step[1] for step in program]
    step = st.tuples(
        st.integers(0, 3),
        messages(ToHost) | st.sampled_from([None, 0, *messages_of_seed]) | change_value(messages_of_seed),
    )
    for place in draw(st.lists(step, min_size=8, max_size=16)):
        program.insert(draw(st.integers(0, len(program))), list(place))
    return msgpack.packb(program)


@st.composite
def stream(draw, seeds):
    """Draw a host's messages to a client: those of a seed, some replaced, and others inserted."""
    payloads = Unframer().feed(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.sampled_from((2, 3, 5)))):
        index = draw(st.integers(0, len(payloads)))
        payload_strategies = [
            messages(ToClient).map(msgpack.packb),
            *([change_packed(payloads)] * 2 if payloads else []),
        ]
        payloads[index : index + draw(st.integers(0, 1))] = [draw(draw(st.sampled_from(payload_strategies)))]
    return b"".join(map(frame, payloads[:60]))


@st.composite
def update(draw, seeds):
    """Draw a host's update of a table, changed in places that a client believes."""
    believed = draw(st.sampled_from(seeds))
    for _ in range(10):
        try:
            candidate = draw(change_packed([believed]))
            decode_untrusted(candidate)
            believed = candidate
        except WireError:
            continue
    return believed


@st.composite
def lines(draw, seeds):
    """Draw lines of JSON: those of a seed, one of them changed, left out, or inserted elsewhere, or cut after it."""
    text = draw(st.sampled_from(seeds)).decode().split("\n")
    index = draw(st.integers(0, len(text) - 1))
    changed_line = json.dumps(draw(change_value(json.loads(text[index]))), default=str)
    rest = draw(
        st.sampled_from(
            [[changed_line, *text[index + 1 :]]] * 5
            + [text[index + 1 :], [text[index], *text[index:]], [changed_line]]
        )
    )
    return "\n".join([*text[:index], *rest]).encode("utf-8", "replace")
