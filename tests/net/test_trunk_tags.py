"""The bytes of every message of a trunk: older nodes expect these, whatever its class is called."""

import pytest
from msgspec import msgpack

from core.words import words
from net.doors.terminal import Identity
from net.host.access import DenialReason
from net.host.metrics import Measure, StageSpread
from net.host.presence import Roster, Visitor
from net.options import DoorOptions
from net.players.accounts import Banned
from net.ssh.gateways.messages import (
    AdmitGuest,
    Answer,
    BanListed,
    CloseHost,
    ConnectionClosed,
    ConnectionState,
    DenyConnection,
    ForgiveCode,
    GatewayConfig,
    GatewayReady,
    LobbyChat,
    MetricsReport,
    NoticeChanged,
    RegistryCall,
    ReleaseSession,
    RosterChanged,
    TableListed,
)
from net.trunk import AttachGuest, CloseGuest, Credit, FromGuest, GuestGone, ToGuest, frame_message

BYTES = [
    (ToGuest(7, b"6|4"), b"\x00\x00\x00\x0f\x93\xa7ToGuest\x07\xc4\x036|4"),
    (CloseGuest(7), b"\x00\x00\x00\x0b\x92\xa8EndGuest\x07"),
    (Credit(7, 16), b"\x00\x00\x00\x08\x93\xa4Took\x07\x10"),
    (FromGuest(7, b"pass"), b"\x00\x00\x00\x12\x93\xa9FromGuest\x07\xc4\x04pass"),
    (GuestGone(7, "too long"), b"\x00\x00\x00\x15\x93\xa9GuestGone\x07\xa8too long"),
    (
        AttachGuest(7, Visitor("mia", "SHA256:k", "", "192.0.2.1", 2222, True), "Mia", "SHA256:k"),
        b"\x00\x00\x00]\x95\xa5Bring\x07\x87\xa4user\xa3mia\xa3key\xa8SHA256:k\xa6resume\xa0\xa7address\xa9192.0.2.1\xa4port\xcd\x08\xae\xa6joined\xc3\xa5named\xc2\xa3Mia\xa8SHA256:k",
    ),
    (
        Answer(3, True, ("a", "b"), words("No.")),
        b"\x00\x00\x00)\x95\xa6Answer\x03\xc3\x92\xa1a\xa1b\x83\xa4text\xa3No.\xa6values\x80\xa6plural\xa0",
    ),
    (TableListed(5, None, ("SHA256:k",)), b"\x00\x00\x00\x19\x94\xabTableListed\x05\xc0\x91\xa8SHA256:k"),
    (
        BanListed("192.0.2.1", Banned("192.0.2.1", "flood", "2026-11-20")),
        b"\x00\x00\x008\x93\xa9BanListed\xa9192.0.2.1\x94\xa6Banned\xa9192.0.2.1\xa5flood\xaa2026-11-20",
    ),
    (NoticeChanged("Welcome"), b"\x00\x00\x00\x16\x92\xacNoticeStands\xa7Welcome"),
    (
        RosterChanged(Roster(("Mia",), 1)),
        b"\x00\x00\x00\x1f\x92\xaaPeopleHere\x82\xa5names\x91\xa3Mia\xa5count\x01",
    ),
    (LobbyChat("Mia", "hello"), b"\x00\x00\x00\x11\x94\xa4Talk\xa3Mia\xa5hello\xc0"),
    (DenyConnection(9, DenialReason.BANNED), b"\x00\x00\x00\x0e\x93\xa4Deny\t\xa6banned"),
    (CloseHost(True), b"\x00\x00\x00\x08\x92\xa5Close\xc3"),
    (GatewayReady(), b"\x00\x00\x00\x07\x91\xa5Ready"),
    (
        ConnectionState(9, True, False, Identity("mia", "SHA256:k", "198.51.100.7"), "192.0.2.1", False),
        b"\x00\x00\x00W\x97\xa5State\t\xc3\xc2\x86\xa4user\xa3mia\xa3key\xa8SHA256:k\xa7address\xac198.51.100.7\xa4port\x00\xa7reached\xa0\xa5named\xc2\xa9192.0.2.1\xc2",
    ),
    (ConnectionClosed(9), b"\x00\x00\x00\x07\x92\xa4Gone\t"),
    (RegistryCall(3, "name_of", ("SHA256:k",)), b"\x00\x00\x00\x18\x94\xa3Ask\x03\xa7name_of\x91\xa8SHA256:k"),
    (
        AdmitGuest(3, -1, "192.0.2.1", Identity("mia", "SHA256:k", "198.51.100.7"), True),
        b"\x00\x00\x00X\x96\xa7Arrives\x03\xff\xa9192.0.2.1\x86\xa4user\xa3mia\xa3key\xa8SHA256:k\xa7address\xac198.51.100.7\xa4port\x00\xa7reached\xa0\xa5named\xc2\xc3",
    ),
    (ReleaseSession("SHA256:k"), b"\x00\x00\x00\x19\x92\xaeReleaseSession\xa8SHA256:k"),
    (ForgiveCode("192.0.2.0/24"), b"\x00\x00\x00\x1a\x92\xabForgiveCode\xac192.0.2.0/24"),
    (
        MetricsReport(unsent=5, stages=(StageSpread(Measure.STAGE, "draw", (1,), 0.5),), floods="192.0.2.1"),
        b"\x00\x00\x00K\x99\xa7Counted\x05\xc0\xc0\xc0\x00\x90\x91\x84\xa7measure\xa5stage\xa2of\xa4draw\xa6counts\x91\x01\xa7seconds\xcb?\xe0\x00\x00\x00\x00\x00\x00\xa9192.0.2.1",
    ),
]


@pytest.mark.parametrize(("message", "expected"), BYTES, ids=lambda value: type(value).__name__)
def test_a_message_is_sent_as_these_bytes(message, expected):
    assert frame_message(message) == expected


@pytest.mark.parametrize("struct_type", [Identity, Visitor])
def test_a_field_that_only_newer_nodes_know_is_ignored(struct_type):
    fields = {"user": "mia", "key": "SHA256:k", "address": "192.0.2.1", "newer": True}

    assert msgpack.decode(msgpack.encode(fields), type=struct_type).user == "mia"


def test_a_worker_is_given_its_configuration_under_the_tag_begin():
    config = GatewayConfig(1, "boneyard 1", {"draw": {"draw.hand": 7}}, "key", "log", "node", DoorOptions())
    tag, *fields = msgpack.decode(frame_message(config)[4:])
    assert [tag, *fields[:-1]] == ["Begin", 1, "boneyard 1", {"draw": {"draw.hand": 7}}, "key", "log", "node"]
