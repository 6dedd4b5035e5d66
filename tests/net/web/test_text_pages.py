"""The page without a terminal: forms that begin a session, continue it, and show new text."""

import asyncio
import contextlib
import re
import zlib
from contextlib import asynccontextmanager
from unittest.mock import patch

import aiohttp
import pytest

from net.host.access import Access
from net.limits import WEB_FORM, Limits
from net.options import DoorOptions, WebOptions
from net.web.text_pages import _mark_untranslatable
from tests.net.ssh_room import Room, with_timeout
from tests.net.web_room import web_room

MULTIPART = "multipart/form-data; boundary=x"


class TextRoom(Room):
    """A host that echoes the input in words, and offers two choices."""

    async def on_terminal(self, identity, terminal):
        self.guests.put_nowait((identity, terminal))
        listener = LineEcho(terminal)
        terminal.write(f"Hello {identity.user}.\r\n")
        terminal.attach(listener)
        await listener.over
        self.gone.put_nowait(identity)


class LineEcho:
    """A listener that answers each line, and ends at “leave”."""

    def __init__(self, terminal):
        self.terminal, self.over = terminal, asyncio.get_running_loop().create_future()

    def on_data(self, data):
        line = data.decode().strip()
        answer = f"You said {line}.\r\n" if line else "1. Lead <6|6>.\r\n2. Draw.\r\n"
        asyncio.get_running_loop().call_soon(self.terminal.write, answer)  # like a player there, not at once
        if line == "leave" and not self.over.done():
            self.over.set_result(None)

    def on_end(self):
        if not self.over.done():
            self.over.set_result(None)


class Visitor:
    """A browser without scripts, or with them."""

    def __init__(self, session, url):
        self.session, self.url = session, url
        self.page, self.status = "", 0

    async def post(self, path, origin=None, **form):
        headers = {"Origin": self.url if origin is None else origin}
        async with self.session.post(f"{self.url}{path}", data=form, headers=headers) as answer:
            self.page, self.status = await answer.text(), answer.status
        return self.page

    @property
    def log_lines(self):
        """Lines of the log on the page."""
        return re.findall("<p>(.*?)</p>", self.page.partition(' id="log"')[2].partition("</div>")[0])

    @property
    def count(self):
        return re.search(r'data-count="(\d+)"', self.page)[1]

    @property
    def token(self):
        return re.search(r'name="visit" value="([^"]+)"', self.page)[1]


@asynccontextmanager
async def visiting(tmp_path, room=None, **options):
    """Yield a visitor of the text pages of a host."""
    room = room or TextRoom()
    with patch("net.web.text_pages.QUIET_INTERVAL", 0.1):
        async with web_room(tmp_path, room, **options) as (_, url, port), aiohttp.ClientSession() as session:
            visitor = Visitor(session, url)
            visitor.room, visitor.port = room, port
            yield visitor


async def test_a_guest_without_scripts_plays_by_forms(tmp_path):
    async with visiting(tmp_path) as visitor:
        await visitor.post("/plain", name="ann")
        assert "<p>Hello ann.</p>" in visitor.page
        assert '<button name="line" value="1">1. Lead &lt;6|6&gt;.</button>' in visitor.page
        await visitor.post("/plain/0/say", visit=visitor.token, line="1")
        assert "<p>You said 1.</p>" in visitor.page
        assert visitor.page.count("Hello ann.") == 1
        await visitor.post("/plain/0/say", visit=visitor.token, line="leave")
        assert "You have left" in visitor.page


async def test_a_page_with_scripts_is_sent_only_new_text(tmp_path):
    async with visiting(tmp_path) as visitor:
        await visitor.post("/plain", name="ann")
        await visitor.post("/plain/0/say", visit=visitor.token, line="2", after=visitor.count)
        assert visitor.log_lines == ["You said 2."]
        assert "<li>" not in visitor.page
        _, terminal = await with_timeout(visitor.room.guests.get())
        terminal.write("Bob played <6|5>.\r\n")
        await visitor.post("/plain/0/news", visit=visitor.token, after=visitor.count)
        assert visitor.log_lines == ["Bob played &lt;6|5&gt;."]


async def test_a_guest_of_the_page_is_counted_and_can_be_disconnected(tmp_path):
    async with visiting(tmp_path, limits=Limits(per_address=30)) as visitor:
        await visitor.post("/plain/t/7", name="ann")
        identity, terminal = await with_timeout(visitor.room.guests.get())
        assert (identity.user, identity.address, terminal.path, terminal.lines) == ("ann", "127.0.0.1", "/t/7", True)
        assert visitor.port.disconnect("127.0.0.1") >= 1
        with contextlib.suppress(aiohttp.ClientConnectionError):  # the connection of its forms is cut as well
            await visitor.post("/plain/0/news", visit=visitor.token, after="99")
        assert "You have left" in await visitor.post("/plain/0/news", visit=visitor.token, after="99")


async def test_an_invitation_is_asked_for(tmp_path):
    async with visiting(tmp_path, access=Access(invite="sesame!")) as visitor:
        await visitor.post("/plain", name="ann", invite="wrong one")
        assert "not the invitation code" in visitor.page
        await visitor.post("/plain", name="ann", invite="sesame!")
        assert "Hello ann." in visitor.page


async def test_a_host_with_a_list_of_keys_admits_no_guest_of_the_text_page(tmp_path):
    async with visiting(tmp_path, access=Access(listed_keys=lambda: {"SHA256:ann"})) as visitor:
        await visitor.post("/plain", name="ann")
        assert "on its list" in visitor.page
        assert visitor.room.guests.empty()


async def test_a_banned_address_is_refused_with_the_reason(tmp_path):
    bans = {"127.0.0.1"}
    async with visiting(tmp_path, access=Access(bans=lambda: bans)) as visitor:
        assert "You are banned" in await visitor.post("/plain", name="ann")
        assert visitor.status == 503


@pytest.mark.parametrize("origin", ["https://evil.example", "null", ""])
async def test_a_form_of_another_site_does_nothing(origin, tmp_path):
    async with visiting(tmp_path) as visitor:
        await visitor.post("/plain", origin=origin, name="ann")
        assert visitor.status == 403
        assert visitor.room.guests.empty()


async def test_a_session_is_closed_to_a_guest_without_its_token(tmp_path):
    async with visiting(tmp_path) as visitor:
        await visitor.post("/plain", name="ann")
        await visitor.post("/plain/0/say", visit="x" * 22, line="1")
        assert "Your session has ended" in visitor.page
        assert "Hello" not in visitor.page


async def test_text_of_players_is_escaped(tmp_path):
    async with visiting(tmp_path) as visitor:
        await visitor.post("/plain", name="<script>alert(1)</script>")
        assert "<script>alert" not in visitor.page
        assert "&lt;script&gt;alert" in visitor.page
        await visitor.post("/plain/0/say", visit=visitor.token, line='"><img src=x onerror=alert(1)>')
        assert "<img" not in visitor.page
        assert "&lt;img" in visitor.page
        await visitor.post("/plain/%22%3E%3Cb%3E", name="")
        assert "<b>" not in visitor.page


async def test_a_form_with_too_many_fields_is_refused(tmp_path):
    async with visiting(tmp_path) as visitor:
        await visitor.post("/plain", **{f"field{number}": "x" for number in range(50)})
        assert visitor.status == 413


async def test_a_form_that_is_too_large_is_refused(tmp_path):
    async with visiting(tmp_path) as visitor:
        await visitor.post("/plain", name="a" * WEB_FORM)
        assert visitor.status == 413


async def test_control_characters_are_removed_from_lines(tmp_path):
    async with visiting(tmp_path) as visitor:
        await visitor.post("/plain", name="ann")
        await visitor.post("/plain/0/say", visit=visitor.token, line="a\x03\x04\x1b[2J\nb")
        assert "You have left" not in visitor.page
        assert "\x1b" not in visitor.page


async def test_a_page_speaks_the_language_of_the_browser(tmp_path):
    async with visiting(tmp_path) as visitor:
        url = f"{visitor.url}/plain"
        async with visitor.session.get(url, headers={"Accept-Language": "de-AT,en;q=0.5"}) as answer:
            assert '<html lang="de">' in await answer.text()


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"name=" + b"a" * WEB_FORM, {}),
        (zlib.compress(b"name=" + b"a" * 1_000_000), {"Content-Encoding": "deflate"}),
        (b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nann\r\n--x--', {"Content-Type": MULTIPART}),
        (b"", {"Content-Type": "text/plain"}),
    ],
)
async def test_large_and_malformed_forms_are_refused(body, headers, tmp_path):
    async def pieces():
        for start in range(0, len(body), 1000):
            yield body[start : start + 1000]

    async with visiting(tmp_path) as visitor:
        usual = {"Origin": visitor.url, "Content-Type": "application/x-www-form-urlencoded"}
        async with visitor.session.post(f"{visitor.url}/plain", data=pieces(), headers=usual | headers) as answer:
            assert answer.status == 413


@pytest.mark.parametrize(
    ("line", "html"),
    [
        ("Type “again” & go", 'Type <span translate="no">“again”</span> &amp; go'),
        ("Gib „again“ ein", 'Gib <span translate="no">„again“</span> ein'),
        ("ssh -p 2222 ann@<host>", '<span translate="no">ssh -p 2222 ann@&lt;host&gt;</span>'),
        ("bela plays 6|4.", "bela plays 6|4."),
    ],
)
def test_words_to_be_typed_are_marked_for_translators(line, html):
    assert _mark_untranslatable(line) == html


async def test_a_form_is_read_as_utf_8_for_any_declared_charset(tmp_path):
    async with visiting(tmp_path) as visitor:
        kind = "application/x-www-form-urlencoded; charset=punycode"
        headers = {"Origin": visitor.url, "Content-Type": kind}
        async with visitor.session.post(f"{visitor.url}/plain", data=b"name=J%C3%B6rg", headers=headers) as answer:
            assert "Hello Jörg." in await answer.text()


async def test_a_banned_guest_is_denied_behind_a_proxy_too(tmp_path):
    door = DoorOptions("127.0.0.1", name="club", web=WebOptions("127.0.0.1", 0, url="https://dominoes.example"))
    async with visiting(tmp_path, door=door, access=Access(bans=lambda: {"198.51.100.7"})) as visitor:
        headers = {"Origin": "https://dominoes.example", "X-Forwarded-For": "198.51.100.7"}
        async with visitor.session.post(f"{visitor.url}/plain", data={"name": "ann"}, headers=headers) as answer:
            assert "You are banned" in await answer.text()
        assert visitor.room.guests.empty()


async def test_lines_beyond_the_rate_of_answers_are_dropped(tmp_path):
    async with visiting(tmp_path) as visitor:
        await visitor.post("/plain", name="ann")
        _, terminal = await with_timeout(visitor.room.guests.get())
        terminal.pause_reading()
        await visitor.post("/plain/0/say", visit=visitor.token, line="1")
        assert "too much at once" in visitor.page
        assert "You said 1" not in visitor.page
        terminal.resume_reading()
        await visitor.post("/plain/0/say", visit=visitor.token, line="2")
        assert "You said 2" in visitor.page


async def test_the_link_to_a_private_table_keeps_its_code(tmp_path):
    async with visiting(tmp_path) as visitor:
        async with visitor.session.get(f"{visitor.url}/plain/t/7?code=abc234") as answer:
            assert 'action="/plain/t/7?code=abc234"' in await answer.text()
        await visitor.post("/plain/t/7?code=abc234", name="ann")
        assert (await with_timeout(visitor.room.guests.get()))[1].path == "/t/7?code=abc234"


async def test_guests_of_gateways_are_counted_by_their_host(tmp_path):
    async with visiting(tmp_path, room=TextRoom(gateways=2), limits=Limits(per_address=30)) as visitor:
        await visitor.post("/plain", name="ann")
        assert "Hello ann." in visitor.page
        assert visitor.port.disconnect("127.0.0.1") >= 2
        assert (await with_timeout(visitor.room.gone.get())).user == "ann"


async def test_the_forms_of_a_guest_reach_their_gateway_also_through_a_pooling_proxy(tmp_path):
    web = WebOptions("127.0.0.1", 0, url="https://dominoes.example")
    async with visiting(tmp_path, room=TextRoom(gateways=3), web=web) as visitor:
        home, headers = "https://dominoes.example", {"X-Forwarded-For": "198.51.100.7"}
        visitor.session.headers.update(headers)
        for name in ("ann", "ben", "cid"):
            await visitor.post("/plain", name=name, origin=home)
            action = re.search(r'action="([^"]+/say)"', visitor.page)[1]
            for line in "12345":
                await visitor.post(action, visit=visitor.token, line=line, origin=home)
                assert f"You said {line}." in visitor.page
                async with visitor.session.get(f"{visitor.url}/icon.svg") as answer:
                    assert answer.status == 200


async def test_a_proxy_connection_without_a_request_times_out(tmp_path, monkeypatch):
    monkeypatch.setattr("net.ssh.gateways.supervisor.WEB_REQUEST_TIMEOUT", 0.1)
    web = WebOptions("127.0.0.1", 0, url="https://dominoes.example")
    async with visiting(tmp_path, room=TextRoom(gateways=1), web=web) as visitor:
        reader, writer = await asyncio.open_connection("127.0.0.1", visitor.port.web)
        assert await with_timeout(reader.read()) == b""
        writer.close()
        visitor.session.headers.update({"X-Forwarded-For": "198.51.100.7"})
        await visitor.post("/plain", name="ann", origin="https://dominoes.example")
        assert "Hello ann." in visitor.page


async def test_the_number_of_idle_proxy_connections_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr("net.ssh.gateways.supervisor.PROXY_HEADERS", 1)
    web = WebOptions("127.0.0.1", 0, url="https://dominoes.example")
    async with visiting(tmp_path, room=TextRoom(gateways=1), web=web) as visitor:
        _, silent = await asyncio.open_connection("127.0.0.1", visitor.port.web)
        reader, other = await asyncio.open_connection("127.0.0.1", visitor.port.web)
        assert b"full" in await with_timeout(reader.read())
        silent.close()
        other.close()
