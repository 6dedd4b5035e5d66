"""Values that are allowed by a type and meant by nobody: messages with absurd numbers, texts and sizes."""

from random import Random

import msgspec
from msgspec import inspect

NUMBERS = (0, 1, -1, 2, 3, 4, 5, 7, 127, 128, 255, 2**31, 10**9, 2**53, 2**63 - 1, -(2**63), 2**64 - 1)
FLOATS = (0.0, -1.0, 1e308, float("inf"), float("-inf"), float("nan"), 0.1)
TEXTS = (
    "",
    "draw",
    "block",
    "forty-two",
    "mexican-train",
    "ada",
    "bela",
    "greedy",
    "random",
    "target",
    "yes",
    "a" * 64,
    "00" * 32,
    "x" * 10_000,
    "\x1b[31m\x1b]52;c;aGk=\x07",
    "\x9b31m",
    "[@click=app.quit]x[/]",
    "[link=https://example.invalid]x[/link]",
    "{0.__class__} {seat} %s %n",
    "two\nlines\r\x00",
    "\u202eright to left\u2066\u200b\ufeff",
    "e" + "\u0301" * 500,
    "数字" * 20,
    "9" * 400,
    "²",
)
KINDS = ("play", "draw", "pass", "claim", "silent", "bid", "name", "lay")


def made(rng: Random, kind) -> object:
    """Some value of a type, as plain MessagePack has it."""
    return _made(rng, inspect.type_info(kind), 0)


def _made(rng: Random, info, depth: int):
    match info:
        case inspect.UnionType(types=types):
            return _made(rng, rng.choice(types), depth)
        case inspect.StructType():
            fields = {field.encode_name: _made(rng, field.type, depth + 1) for field in info.fields}
            if info.array_like:
                return ([info.tag] if info.tag is not None else []) + list(fields.values())
            return ({info.tag_field: info.tag} if info.tag is not None else {}) | fields
        case inspect.NamedTupleType():
            return [_made(rng, field.type, depth + 1) for field in info.fields]
        case inspect.VarTupleType(item_type=of) | inspect.ListType(item_type=of):
            most = 40 if rng.random() < 0.02 else 4
            return [_made(rng, of, depth + 1) for _ in range(rng.randrange(most) if depth < 8 else 0)]
        case inspect.TupleType(item_types=types):
            return [_made(rng, of, depth + 1) for of in types]
        case inspect.DictType(value_type=of):
            return {rng.choice(TEXTS): _made(rng, of, depth + 1) for _ in range(rng.randrange(3) if depth < 8 else 0)}
        case inspect.IntType():
            return rng.choice(NUMBERS[:8]) if rng.random() < 0.7 else rng.choice(NUMBERS)
        case inspect.FloatType():
            return rng.choice(FLOATS)
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.NoneType():
            return None
        case inspect.LiteralType(values=values):
            return rng.choice(values)
    return rng.choice(TEXTS)


def plain(message: msgspec.Struct) -> object:
    """A message as plain MessagePack has it."""
    return msgspec.to_builtins(message)
