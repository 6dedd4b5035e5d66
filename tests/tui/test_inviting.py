"""Invitations to a host: the lines to type, and the QR code for phones."""

import pytest

from net.client.client import Client
from net.client.discovery import address_for_others
from net.client.untrusted import decode_untrusted
from net.options import DoorOptions, WebOptions, invitation_link
from net.wire.link import memory_pair, pack
from net.wire.messages import PROTOCOL, Greeting, SeatInfo, TableInfo, Update
from tests.tui.tables import DARK, PLAIN
from tui.board.canvas import columns
from tui.draw.invitation import qr_code_rows
from tui.screens.guests import InviteScreen
from tui.screens.table import TableScreen
from tui.text.names import join_commands, ssh_url
from tui.text.notices import join_instructions


def client_at(*places, port=0):
    client = Client(memory_pair()[0], "test")
    client.places, client.port = places, port
    return client


@pytest.mark.parametrize(
    ("place", "ways", "link"),
    [
        (("192.0.2.7", 2222), ("ssh -p 2222 192.0.2.7", "boneyard join 192.0.2.7"), "ssh://192.0.2.7:2222"),
        (("example.org", 22), ("ssh -p 22 example.org", "boneyard join example.org:22"), "ssh://example.org:22"),
        (
            ("2001:db8::1", 2222),
            ("ssh -p 2222 2001:db8::1", "boneyard join [2001:db8::1]:2222"),
            "ssh://[2001:db8::1]:2222",
        ),
    ],
)
def test_a_place_is_typed_with_ssh_and_with_boneyard_and_is_a_link(place, ways, link):
    assert join_commands(*place) == ways
    assert ssh_url(*place) == link
    assert join_instructions(client_at(place)) == ways


def test_if_the_hosts_address_is_unknown_a_friend_uses_the_guests_own_command():
    assert join_instructions(client_at(port=2222)) == ()
    assert "A friend types the command that you typed to get here." in str(
        InviteScreen(DARK, client_at(port=2222)).draw(80, 24)
    )


def test_a_code_has_the_three_marks_by_which_phones_find_it():
    rows = qr_code_rows("ssh://192.0.2.7:2222")
    width = len(rows[0])
    dots = []
    for row in rows:
        dots.append([cell in "▀█" for cell in row])
        dots.append([cell in "▄█" for cell in row])
    mark = [[max(abs(x - 3), abs(y - 3)) != 2 for x in range(7)] for y in range(7)]

    def at(x, y):
        return [line[x : x + 7] for line in dots[y : y + 7]]

    assert at(2, 2) == at(width - 9, 2) == at(2, width - 9) == mark
    assert not any(dots[0] + dots[1]), "a white margin"


@pytest.mark.parametrize("look", [DARK, PLAIN])
@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
def test_the_lines_are_readable_and_the_qr_code_is_whole_or_missing(look, size):
    screen = InviteScreen(look, client_at(("192.0.2.7", 2222)))
    picture = str(screen.draw(*size))

    assert "ssh -p 2222 192.0.2.7" in picture
    assert "boneyard join 192.0.2.7" in picture
    code = qr_code_rows("ssh://192.0.2.7:2222")
    assert all(row.strip() in picture for row in code) != look.ascii
    assert max(map(columns, picture.splitlines())) <= size[0]


def update_of_waiting_table(client):
    table = TableInfo(3, "ada", "draw", {}, (SeatInfo("ada"), SeatInfo()), 0, "waiting")
    client.update = Update(1, table, 0, None)
    return client


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_waiting_table_shows_the_link_first_and_its_code(size):
    client = update_of_waiting_table(client_at(("192.0.2.7", 2222)))
    client.link = "http://:8080"
    picture = str(TableScreen(client, DARK, lambda: DARK).draw(*size))

    places = [picture.index(line) for line in ("http://192.0.2.7:8080/t/3", "ssh -p", "boneyard join")]
    assert places == sorted(places)
    assert all(row.strip() in picture for row in qr_code_rows("http://192.0.2.7:8080/t/3"))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_page_of_invitations_has_the_code_of_the_link(size):
    client = client_at(("192.0.2.7", 2222))
    client.link = "https://dominoes.example"
    picture = str(InviteScreen(DARK, client).draw(*size))

    assert all(row.strip() in picture for row in qr_code_rows("https://dominoes.example/"))


@pytest.mark.parametrize(
    ("door", "link"),
    [
        (DoorOptions(web=WebOptions("", 8080)), "http://:8080"),
        (DoorOptions(address="example.org", web=WebOptions("", 8080)), "http://example.org:8080"),
        (DoorOptions(web=WebOptions("2001:db8::1", 8080, cert="c")), "https://[2001:db8::1]:8080"),
        (DoorOptions(web=WebOptions("127.0.0.1", 8080, url="https://d.example")), "https://d.example"),
        (DoorOptions(web=WebOptions("127.0.0.1", 8080)), ""),
        (DoorOptions(), ""),
    ],
)
def test_a_host_tells_its_guests_the_link_without_an_address_that_it_does_not_know(door, link):
    assert invitation_link(door) == link


def test_an_address_of_this_machine_alone_is_replaced_in_an_invitation(monkeypatch):
    monkeypatch.setattr("net.client.discovery.own_addresses", lambda: ["fe80::1%eth0", "192.0.2.7"])

    assert address_for_others("127.0.0.1") == address_for_others("localhost") == "192.0.2.7"
    assert address_for_others("127.0.0.1", bind="127.0.0.1") == "127.0.0.1"
    assert address_for_others("example.org") == "example.org"


@pytest.mark.parametrize("link", ["javascript:alert(1)", "https://x/y z", "https://" + "a" * 300])
def test_a_link_that_no_host_has_is_dropped(link):
    assert decode_untrusted(pack(Greeting(PROTOCOL, "x", "ada", True, link=link))).link == ""
