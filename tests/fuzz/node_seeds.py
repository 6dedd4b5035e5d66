"""Seeds for the fuzz targets of cluster nodes: trunks, and headers of proxies."""

from collections.abc import Sequence

from net.trunk import AttachGuest, CloseGuest, Credit, FromGuest, GuestGone, ToGuest, frame_message
from net.wire.link import pack
from net.wire.messages import Bye, Leave, Left, MakeTable, Sit, Update
from tests.fuzz.nodes import ADA
from tests.net.ssh.proxying import LOCAL, block, line


def lines(updates: Sequence[Update]) -> dict[str, bytes]:
    """Return the messages of a gateway about its guests, and those of a table host to them."""
    plays = [
        AttachGuest(1, ADA, "ada", ADA.key),
        FromGuest(1, pack(MakeTable("draw", 2, {}, 1))),
        FromGuest(1, pack(Leave())),
    ]
    more = [AttachGuest(2, ADA, "bela", "b"), FromGuest(2, pack(Sit(1))), GuestGone(1), GuestGone(2, "nonsense")]
    answers = [Credit(1, 1), *(ToGuest(1, pack(update)) for update in updates), ToGuest(1, pack(Left()))]
    ends = [*answers[:2], ToGuest(1, pack(Bye(again=True))), CloseGuest(1), CloseGuest(7)]
    said = {"plays": plays, "more": [*plays, *more], "answers": answers, "ends": ends}
    return {name: b"".join(map(frame_message, messages)) for name, messages in said.items()}


def proxy() -> dict[str, bytes]:
    """Return headers, some followed by data."""
    return {
        "line": line("203.0.113.9") + b"SSH-2.0-x\r\n",
        "line-6": line("2001:db8::9"),
        "unknown": b"PROXY UNKNOWN\r\n",
        "block": block("203.0.113.9", b"\x04\x00\x01x") + b"SSH-2.0-x\r\n",
        "block-6": block("2001:db8::9"),
        "local": LOCAL,
    }
