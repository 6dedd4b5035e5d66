"""Our own mutator, for where atheris is not installed and for what has structure: bytes, and values within values."""

import json
from random import Random

import msgpack

from net.client.untrusted import decode_untrusted
from net.wire.link import Unframer, WireError, frame
from net.wire.messages import ToClient, ToHost
from tests.fuzz.values import FLOATS, NUMBERS, TEXTS, made

MAX_INPUT = 64 * 1024
"""Bytes of one input, but for what a mutation makes longer on purpose."""
_HEADS = (0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC4, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCF, 0xD3, 0xD9)
_HEADS += (0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, 0x00, 0x7F, 0xFF, 0x1B, 0x9B)


def bent_bytes(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Change some bytes: flip, drop, repeat, put in what is special, or take a piece of another input."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(changed) + 1)
        match rng.randrange(7):
            case 0 if changed:
                changed[at % len(changed)] ^= 1 << rng.randrange(8)
            case 1 if changed:
                changed[at % len(changed)] = rng.choice(_HEADS)
            case 2:
                changed[at:at] = bytes([rng.choice(_HEADS)])
            case 3:
                changed[at:at] = rng.randbytes(rng.randrange(5))
            case 4:
                del changed[at : at + rng.choice((1, 2, 8, 64))]
            case 5:
                end = at + rng.randrange(32)
                changed[at:at] = changed[at:end] * rng.choice((1, 2, 50))
            case 6 if others:
                other = rng.choice(others)
                start = rng.randrange(len(other) + 1)
                changed[at : at + rng.randrange(16)] = other[start : start + rng.randrange(64)]
    return bytes(changed[:MAX_INPUT])


def bent_value(rng: Random, value, depth: int = 0):
    """Change one place somewhere within a value."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key} | (
                {rng.choice(TEXTS): 1} if rng.random() < 0.5 else {}
            )
        return value | {key: bent_value(rng, value[key], depth + 1)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        match rng.randrange(12):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return value[:at] + [value[at]] * rng.choice((2, 3, 50)) + value[at + 1 :]
            case 2:
                other = rng.randrange(len(value))
                return [value[other] if n == at else value[at] if n == other else v for n, v in enumerate(value)]
        return [bent_value(rng, v, depth + 1) if n == at else v for n, v in enumerate(value)]
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.5:
        return value + rng.choice((1, -1, 2, 10))
    return absurd(rng)


def absurd(rng: Random):
    """A leaf that belongs nowhere."""
    return rng.choice((rng.choice(NUMBERS), rng.choice(TEXTS), rng.choice(FLOATS), None, True, [], {}, b"\xff"))


def bent_message_pack(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Change a value packed as MessagePack; or its bytes, now and then, or where it is none."""
    if rng.random() < 0.25:
        return bent_bytes(rng, data, others)
    try:
        value = msgpack.unpackb(data)
        for _ in range(rng.choice((1, 1, 2, 5))):
            value = bent_value(rng, value)
        packed: bytes = msgpack.packb(value)
        return packed
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException):
        return bent_bytes(rng, data, others)


def bent_talk(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Change what guests of a lobby say: other words, other guests, another order, and what nobody would say."""
    if rng.random() < 0.3:
        return bent_message_pack(rng, data, others)
    try:
        said = msgpack.unpackb(data)
        for _ in range(rng.choice((1, 2, 5, 12))):
            at = rng.randrange(len(said) + 1)
            match rng.randrange(4):
                case 0:
                    said.insert(at, [rng.randrange(4), made(rng, ToHost)])
                case 1:
                    said.insert(at, [rng.randrange(4), rng.choice((None, 0))])
                case 2:
                    said.insert(at, [rng.randrange(4), rng.choice(said)[1]])
                case 3:
                    other = msgpack.unpackb(rng.choice(others))
                    said[at:at] = other[rng.randrange(len(other)) :][:4]
        packed: bytes = msgpack.packb(said)
        return packed
    except (ValueError, TypeError, LookupError, OverflowError, AttributeError, msgpack.UnpackException):
        return bent_bytes(rng, data, others)


def bent_stream(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Change what a host says to a client: its messages, their order, and what no host would say."""
    if rng.random() < 0.2:
        return bent_bytes(rng, data, others)
    try:
        payloads = Unframer().feed(data)
        for _ in range(rng.choice((1, 2, 5))):
            at = rng.randrange(len(payloads) + 1)
            match rng.randrange(3):
                case 0:
                    payloads.insert(at, msgpack.packb(made(rng, ToClient)))
                case 1:
                    payloads[at:at] = Unframer().feed(rng.choice(others))[:3]
                case 2 if payloads:
                    payloads[at - 1] = bent_message_pack(rng, payloads[at - 1], others)
        return b"".join(map(frame, payloads[:60]))
    except (WireError, ValueError, TypeError, OverflowError):
        return bent_bytes(rng, data, others)


def bent_update(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Change what a host sends about a table, so that it may still be true."""
    for _ in range(30):
        bent = bent_message_pack(rng, data, others)
        try:
            decode_untrusted(bent)
        except WireError:
            continue
        return bent
    return data


def bent_lines(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Change lines of JSON."""
    if rng.random() < 0.2:
        return bent_bytes(rng, data, others)
    lines = data.decode("utf-8", "replace").split("\n")
    at = rng.randrange(len(lines))
    match rng.randrange(8):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, rng.choice(lines))
        case 2:
            lines = lines[:at]
        case _:
            try:
                lines[at] = json.dumps(bent_value(rng, json.loads(lines[at])), default=str)
            except (ValueError, TypeError):
                lines[at] = bent_bytes(rng, lines[at].encode(), []).decode("utf-8", "replace")
    return "\n".join(lines).encode("utf-8", "replace")
