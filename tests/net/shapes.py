"""The shapes of all messages of a host, as plain MessagePack, for the oracle; duplicated here on purpose.

A dict has exactly these keys; a tuple is a list of exactly this length; a list has any length; `Free` is a map with
arbitrary keys. A field that is missing here counts as a leak until somebody has thought about it.
"""

from msgspec import Struct

INT, NUM, BOOL, TEXT, TILE, SHED, HAND, DOWN, LINE, CHAIN, CODE, CHAT = [
    "int",
    "num",
    "bool",
    "text",
    "tile",
    "shed",
    "hand",
    "down",
    "line",
    "chain",
    "code",
    "chat",
]


class Free(Struct):
    """A map of any texts to values of one shape."""

    of: object


class Maybe(Struct):
    """None, or a value of a shape."""

    of: object


class OneOf(Struct):
    """A map or a list that names its kind: by its `type`, or by its first item."""

    of: dict


WORDS: dict = {"text": TEXT, "plural": TEXT}
VALUE = "value"
WORDS["values"] = Free(VALUE)
ACTION = OneOf(
    {
        "play": (TEXT, TILE, INT, INT, INT),
        "draw": (TEXT,),
        "pass": (TEXT,),
        "shed": (TEXT, SHED),
        "tuck": (TEXT, TILE),
        "claim": (TEXT,),
        "silent": (TEXT,),
        "bid": (TEXT, INT, INT, TEXT),
        "name": (TEXT, TEXT, INT, TEXT),
        "lay": (TEXT, TILE, BOOL),
        "bury": (TEXT, TILE),
        "take": (TEXT, [TILE]),
        "fill": (TEXT, TILE),
        "give_up": (TEXT,),
        "lead": (TEXT, [TILE]),
        "beat": (TEXT, [TILE]),
        "hide": (TEXT, [TILE]),
    }
)
SUMS = [[(TEXT, INT, INT)]]
RESULT = (TEXT, TEXT, INT, [[TILE]], SUMS, [INT], INT, INT, [INT], [INT])
BID = OneOf({"bid": (TEXT, INT, INT, TEXT)})
NAME = OneOf({"name": (TEXT, TEXT, INT, TEXT)})
LAID = (TEXT, INT, TILE, INT)
EVENT = OneOf(
    {
        "led": (TEXT, INT, TILE, TEXT, INT),
        "played": (TEXT, INT, TILE, INT, INT),
        "drew": (TEXT, INT, INT, [TILE], BOOL),
        "passed": (TEXT, INT, TEXT, BOOL),
        "put_down": (TEXT, INT, Maybe(TILE)),
        "tucked": (TEXT, INT, TILE),
        "scored": (TEXT, INT, INT, [INT], BOOL, BOOL, TEXT),
        "bade": (TEXT, INT, BID),
        "named": (TEXT, INT, NAME),
        "buried": (TEXT, INT, [TILE]),
        "laid": LAID,
        "took": (TEXT, INT, INT, [TILE]),
        "removed": (TEXT, INT, [TILE]),
        "moved": (TEXT, INT, TILE),
        "turned": (TEXT, INT, [TILE]),
        "matched": (TEXT, INT, [TILE], BOOL),
        "hid": (TEXT, INT, INT, [TILE]),
        "dealt": (TEXT, INT),
        "round_over": RESULT,
        "match_over": (TEXT, [INT], BOOL, [INT], TEXT, [INT]),
        "taken_back": (TEXT, INT, ACTION),
    }
)
LAYOUT_VIEW = {
    "type": TEXT,
    "seat": INT,
    "hand": HAND,
    "counts": [INT],
    "boneyard": INT,
    "reserve": INT,
    "layout": [(TILE, INT, INT, INT, INT)],
    "ends": [(INT, INT, INT, INT)],
    "turn": INT,
    "drawn": INT,
    "legal": [ACTION],
    "opening": TEXT,
    "result": Maybe(RESULT),
    "highest": INT,
    "shape": TEXT,
    "owed": [INT],
    "open": [INT],
    "says": Maybe(WORDS),
    "worth": [INT],
    "pending": INT,
    "count": [INT],
    "going": TEXT,
    "turns": INT,
    "stuck": BOOL,
    "faces": TEXT,
    "shed": [INT],
    "own_shed": DOWN,
    "rows": [[SHED]],
}
TRICK_VIEW = {
    "type": TEXT,
    "seat": INT,
    "hand": HAND,
    "counts": [INT],
    "shaker": INT,
    "turn": INT,
    "calls": [(INT, Maybe(BID))],
    "bidder": INT,
    "bid": Maybe(BID),
    "trump": Maybe(NAME),
    "suit": INT,
    "trick": [LAID],
    "tricks": [([LAID], INT, INT)],
    "out": INT,
    "legal": [ACTION],
    "result": Maybe(RESULT),
    "highest": INT,
    "sides": INT,
    "widow": INT,
    "buried": [TILE],
}
PUT = (INT, [TILE], BOOL)
COMBO_VIEW = {
    "type": TEXT,
    "seat": INT,
    "hand": HAND,
    "counts": [INT],
    "banker": INT,
    "in_a_row": INT,
    "turn": INT,
    "trick": [PUT],
    "tricks": [([PUT], INT)],
    "legal": [ACTION],
    "result": Maybe(RESULT),
    "bound": BOOL,
    "highest": INT,
    "faces": TEXT,
}
PATIENCE_VIEW = {
    "type": TEXT,
    "seat": INT,
    "hand": HAND,
    "counts": [INT],
    "turn": INT,
    "piles": [[TILE]],
    "boneyard": INT,
    "spread": TEXT,
    "legal": [ACTION],
    "result": Maybe(RESULT),
    "aside": INT,
    "highest": INT,
}
GOAL = {
    "target": INT,
    "rounds": INT,
    "lowest": BOOL,
    "at_once": BOOL,
    "exact": BOOL,
    "loser": TEXT,
    "tie": TEXT,
    "winner_first": BOOL,
    "nought": BOOL,
    "shutout": TEXT,
}
MATCH = {
    "game": TEXT,
    "options": Free(VALUE),
    "players": INT,
    "sides": INT,
    "goal": GOAL,
    "round": INT,
    "scores": [INT],
    "play": Maybe(
        OneOf({"layout": LAYOUT_VIEW, "tricks": TRICK_VIEW, "combos": COMBO_VIEW, "patience": PATIENCE_VIEW})
    ),
    "winners": [INT],
    "over": BOOL,
    "endless": BOOL,
    "unfinished": BOOL,
    "agreed": [INT],
    "leader": INT,
    "winner": INT,
    "carry": [INT],
    "history": [EVENT],
}
TABLE = {
    "id": INT,
    "name": TEXT,
    "game": TEXT,
    "options": Free(VALUE),
    "seats": [(TEXT, TEXT, BOOL, BOOL, BOOL)],
    "watchers": INT,
    "phase": TEXT,
    "private": BOOL,
    "turn_time": INT,
    "match_time": INT,
    "hints": BOOL,
    "take_back": BOOL,
    "pace": TEXT,
}
MESSAGE = OneOf(
    {
        "greeting": {
            "type": TEXT,
            "protocol": INT,
            "software": TEXT,
            "name": TEXT,
            "known": BOOL,
            "house_rules": Free(Free(VALUE)),
            "link": TEXT,
        },
        "entered": {"type": TEXT, "name": TEXT, "resume": TEXT},
        "bind_code": {"type": TEXT, "code": TEXT},
        "tables": {
            "type": TEXT,
            "tables": [TABLE],
            "yours": INT,
            "page": INT,
            "total": INT,
            "open": INT,
            "names": [TEXT],
            "people": INT,
            "reserved": [INT],
        },
        "update": {
            "type": TEXT,
            "number": INT,
            "table": TABLE,
            "seat": INT,
            "match": Maybe(MATCH),
            "events": [EVENT],
            "ready": [INT],
            "fair": Maybe({"commitment": TEXT, "shares": [(TEXT, TEXT)]}),
            "times": Maybe((BOOL, NUM, [NUM])),
            "timed_out": INT,
            "watching": [TEXT],
            "code": CODE,
            "wanted": Maybe((INT, ACTION, [INT], BOOL, BOOL)),
            "chain": CHAIN,
            "grace": [NUM],
        },
        "said": {"type": TEXT, "name": TEXT, "seat": INT, "text": CHAT, "maintenance": Maybe(NUM)},
        "interrupted": {"type": TEXT},
        "resumed": {"type": TEXT},
        "record": {"type": TEXT, "table": INT, "lines": [LINE], "last": BOOL},
        "left": {"type": TEXT, "reason": Maybe(WORDS)},
        "refused": {"type": TEXT, "reason": WORDS},
        "bye": {"type": TEXT, "reason": Maybe(WORDS), "again": BOOL},
    }
)
