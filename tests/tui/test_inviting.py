"""Invitations to a host: the lines to type, and the QR code for phones."""

import pytest

from net.client.client import Client
from net.wire.link import memory_pair
from tests.tui.tables import DARK, PLAIN
from tui.board.canvas import columns
from tui.screens.guests import InviteScreen, qr_code_rows
from tui.text.names import link_to, ways_to
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
    assert ways_to(*place) == ways
    assert link_to(*place) == link
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
