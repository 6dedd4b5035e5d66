"""The door for browsers: its pages, its admission, and its defences."""

import asyncio
import contextlib
import gc
import os
import socket as sockets
import ssl
import zlib
from datetime import UTC, datetime, timedelta

import aiohttp
import asyncssh
import msgspec
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID
from multidict import CIMultiDict

from net.doors.listener import HostError
from net.doors.terminal import LinkPreview, LinkRow, Terminal
from net.host.access import Access, is_weak_ed25519
from net.limits import WEB_FRAME, Limits
from net.options import AccessOptions, DoorOptions, WebOptions
from net.web.connection import WebConnection
from net.web.door import Certificate
from net.web.entrance import seat_list
from net.web.proof import BadProofError, Challenge, Proof, fingerprint_of
from net.web.session import WebSession
from tests.net.ssh_room import Room, with_timeout
from tests.net.web_room import P256, Browser, Ed25519, Pages, browsing, type_without_end, web_room
from tests.waiting import until


async def get(url, **options):
    """Fetch a page; return its status, text and headers."""
    async with aiohttp.ClientSession() as session, session.get(url, **options) as answer:
        return answer.status, await answer.text(errors="replace"), answer.headers


@pytest.mark.parametrize("key", [Ed25519, P256])
async def test_a_proved_key_gives_the_same_identity_as_over_ssh(key, tmp_path):
    async with web_room(tmp_path) as (room, url, _), browsing(url) as page:
        await page.enter(key(), user="ann")
        await page.wait_for(b"hello ann\r\n")

        identity, terminal = await with_timeout(room.guests.get())
        assert identity.key.startswith("SHA256:")
        assert (identity.address, terminal.size, terminal.env["COLORTERM"]) == ("127.0.0.1", (80, 24), "truecolor")


async def test_a_cached_page_that_still_sends_its_brightness_is_accepted(tmp_path):
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page:
        await page.enter(user="ann", dark=False)
        await page.wait_for(b"hello ann\r\n")


async def test_the_fingerprint_of_a_browsers_key_is_that_of_ssh(tmp_path):
    key = Ed25519()
    challenge = Challenge("https://dominoes.example", "SHA256:host")
    proof = msgspec.convert(key.proof(challenge.nonce, "https://dominoes.example", "SHA256:host"), Proof)

    line = challenge.key_of(proof)
    assert fingerprint_of(line) == asyncssh.import_public_key(line).get_fingerprint()


@pytest.mark.parametrize(
    ("signed", "why"),
    [
        ({"origin": "https://evil.example"}, "for another page"),
        ({"nonce": "0" * 43}, "for another time"),
        ({"host": "SHA256:other"}, "for another host"),
    ],
)
def test_a_signature_for_something_else_proves_nothing(signed, why):
    key, challenge = Ed25519(), Challenge("https://dominoes.example", "SHA256:host")
    about = {"nonce": challenge.nonce, "origin": "https://dominoes.example", "host": "SHA256:host", **signed}

    with pytest.raises(BadProofError):
        challenge.key_of(msgspec.convert(key.proof(**about), Proof))


@pytest.mark.parametrize("public", [b"", bytes(3), b"\xff" * 32, b"\4" * 65])
@pytest.mark.parametrize("algorithm", ["ed25519", "p256", "rsa"])
def test_an_invalid_key_proves_nothing(algorithm, public):
    with pytest.raises(BadProofError):
        Challenge("https://dominoes.example", "SHA256:host").key_of(Proof(algorithm, public, bytes(64)))


IDENTITY = bytes([1]) + bytes(31)
"""The neutral element of Ed25519, for which the neutral signature verifies every message."""


@pytest.mark.parametrize(
    "public",
    [
        IDENTITY,
        bytes(32),
        bytes([1]) + bytes(30) + b"\x80",
        (2**255 - 20).to_bytes(32, "little"),
        (2**255 - 18).to_bytes(32, "little"),  # the neutral element once more, not reduced
        bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    ],
)
def test_an_ed25519_key_with_universal_signatures_proves_nothing(public):
    assert is_weak_ed25519(public)
    with pytest.raises(BadProofError):
        Challenge("https://dominoes.example", "SHA256:host").key_of(Proof("ed25519", public, IDENTITY + bytes(32)))


def test_a_p256_key_has_one_form_and_so_one_fingerprint():
    key, challenge = P256(), Challenge("https://dominoes.example", "SHA256:host")
    proof = msgspec.convert(key.proof(challenge.nonce, "https://dominoes.example", "SHA256:host"), Proof)
    assert challenge.key_of(proof)
    short = key.private_key.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    with pytest.raises(BadProofError):
        challenge.key_of(msgspec.structs.replace(proof, public=short))


async def test_a_foreign_signature_is_refused_in_a_sentence(tmp_path):
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page:
        await page.enter(Ed25519(), origin="https://evil.example")

        assert "did not prove its key" in (await page.wait_for_message("no"))["why"]
        await page.wait_for_end()


async def test_input_and_output_go_both_ways_and_the_end_is_announced(tmp_path):
    async with web_room(tmp_path) as (room, url, _), browsing(url) as page:
        await page.enter(user="bob")
        await page.wait_for_message("in")
        await page.type(b"abc")
        await page.wait_for(b"abc")
        await page.send(t="size", columns=120, rows=40)
        await page.wait_for(b"<120x40>")
        await page.type(b"q")
        await page.wait_for(b"bye")
        await page.wait_for_end()
        assert (await with_timeout(room.gone.get())).user == "bob"


async def test_a_crash_ends_one_session_in_words(tmp_path, failures):
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page, browsing(url) as other_page:
        await other_page.enter(user="other")
        await other_page.wait_for_message("in")
        await page.enter()
        await page.wait_for_message("in")
        await page.type(b"!")
        assert "Something went wrong" in (await page.wait_for_message("bye"))["why"]
        await page.wait_for_end()
        await other_page.type(b"still")
        await other_page.wait_for(b"still")
    assert [event for event, _ in failures] == ["session-crashed"]


async def test_a_host_that_closes_ends_every_page(tmp_path):
    async with aiohttp.ClientSession() as session:
        async with web_room(tmp_path) as (_, url, _):
            socket = await session.ws_connect(f"{url}/ws", headers={"Origin": url}, protocols=("boneyard.1",))
            page = Browser(socket, url)
            await page.enter()
            await page.wait_for_message("in")
        await page.wait_for(b"bye")
        await page.wait_for_end()
        await socket.close()


async def test_an_invitation_is_requested_and_wrong_ones_are_counted(tmp_path):
    limits = Limits(wrong_invitations=2)
    async with web_room(tmp_path, access=Access(invite="sesame!", limits=limits), limits=limits) as (_, url, _):
        async with browsing(url) as page:
            request = await page.wait_for_message("ask")
            assert request["asks"] is True
            await page.enter_again(request)
            assert (await page.wait_for_message("no"))["asks"] == "invite"
            await page.enter_again(request, invite="wrong one")
            assert "not the invitation" in (await page.wait_for_message("no"))["why"]
            await page.enter_again(request, invite="sesame!")
            await page.wait_for_message("in")
        async with browsing(url) as page:
            request = await page.wait_for_message("ask")
            await page.enter_again(request, invite="wrong two")
            await page.wait_for_message("no")
            await page.enter_again(request, invite="sesame!")
            assert "Too many wrong invitations" in (await page.wait_for_message("no"))["why"]


async def test_a_host_with_a_list_shows_the_line_to_add_for_an_unlisted_key(tmp_path):
    access = Access(listed_keys=lambda: {"SHA256:ann"})
    async with web_room(tmp_path, access=access) as (_, url, _), browsing(url) as page:
        await page.enter(Ed25519())
        assert "add this line: ssh-ed25519 AAAA" in (await page.wait_for_message("no"))["why"]


async def test_a_host_with_a_list_refuses_a_browser_without_a_key_with_the_reason(tmp_path):
    access = Access(listed_keys=lambda: {"SHA256:ann"})
    async with web_room(tmp_path, access=access) as (_, url, _), browsing(url) as page:
        await page.enter()
        assert "your browser has none" in (await page.wait_for_message("no"))["why"]


async def test_a_guest_banned_by_key_is_disconnected_and_refused_the_next_time(tmp_path):
    bans, key = set(), Ed25519()
    async with web_room(tmp_path, access=Access(bans=lambda: bans)) as (room, url, port):
        async with browsing(url) as page:
            await page.enter(key)
            await page.wait_for_message("in")
            identity, _ = await with_timeout(room.guests.get())
            bans.add(identity.key)
            assert port.disconnect(identity.key) == 1
            await page.wait_for_end()
        async with browsing(url) as page:
            await page.enter(key)
            assert (await page.wait_for_message("no"))["why"] == "You are banned from this server."


async def test_a_banned_address_gets_no_socket(tmp_path):
    async with web_room(tmp_path, access=Access(bans=lambda: {"127.0.0.1"})) as (_, url, _):
        with pytest.raises(aiohttp.ClientError):
            async with browsing(url):
                pass


async def test_the_windows_of_a_key_are_limited(tmp_path):
    limits, key = Limits(sessions_per_key=1), Ed25519()
    async with web_room(tmp_path, limits=limits) as (_, url, _), browsing(url) as page, browsing(url) as second_page:
        await page.enter(key)
        await page.wait_for_message("in")
        await second_page.enter(key)
        assert "1 window open" in (await second_page.wait_for_message("no"))["why"]


async def test_a_full_host_says_so(tmp_path):
    async def has_reserved_seat(_identity):
        return False

    options = {"limits": Limits(connections=1), "has_reserved_seat": has_reserved_seat}
    async with web_room(tmp_path, **options) as (_, url, _), browsing(url) as page, browsing(url) as second_page:
        _, text_before, _ = await get(f"{url}/")
        assert "This server is full" not in text_before
        await page.enter()
        await page.wait_for_message("in")
        _, text_when_full, _ = await get(f"{url}/")
        assert '<p id="farewell" role="status" >This server is full' in text_when_full
        await second_page.enter()
        assert (await second_page.wait_for_message("no"))["why"] == "The host is full; try again later."


async def test_the_connections_of_an_address_are_limited(tmp_path):
    async with web_room(tmp_path, limits=Limits(per_address=2)) as (_, url, _), browsing(url), browsing(url):
        with pytest.raises(aiohttp.ClientError):
            async with browsing(url):
                pass


@pytest.mark.parametrize(("columns", "rows"), [(5000, 5000), (80, 1001)])
async def test_a_window_larger_than_any_display_is_refused_with_the_reason(columns, rows, tmp_path):
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page:
        await page.enter(columns=columns, rows=rows)
        assert "cannot draw" in (await page.wait_for_message("no"))["why"]


async def test_a_window_of_negative_width_gets_the_usual_size(tmp_path):
    async with web_room(tmp_path) as (room, url, _), browsing(url) as page:
        await page.enter(columns=-1, rows=24)
        await page.wait_for_message("in")
        assert (await with_timeout(room.guests.get()))[1].size == (80, 24)


@pytest.mark.parametrize(
    ("language", "locale"),
    [
        ("en-US@posix", "en_US.UTF-8"),
        ("", "C.UTF-8"),
        ("de", "de.UTF-8"),
        ("pt-BR", "pt_BR.UTF-8"),
        ("x" * 500, "xxx.UTF-8"),
        ("../../etc", "C.UTF-8"),
    ],
)
async def test_the_language_of_a_browser_becomes_a_valid_locale(language, locale, tmp_path):
    async with web_room(tmp_path) as (room, url, _), browsing(url) as page:
        await page.enter(lang=language)
        await page.wait_for_message("in")
        assert (await with_timeout(room.guests.get()))[1].env["LANG"] == locale


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\1",
        b"\1{",
        b"\1[]",
        b'\1{"t":"nothing"}',
        b'\1{"t":"enter"}',
        b'\1{"t":"size","columns":"x","rows":1}',
        b"\2abc",
        b"\1" + b"[" * 10_000,
        b'\1{"t":"enter","columns":80,"rows":24,"user":"\xff"}',
    ],
)
async def test_a_malformed_message_closes_the_connection_in_words(frame, tmp_path):
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page:
        await page.wait_for_message("ask")
        await page.socket.send_bytes(frame)
        assert (await page.wait_for_message("no"))["why"].startswith("That was not a Boneyard message")
        await page.wait_for_end()


async def test_a_frame_of_text_closes_the_connection(tmp_path):
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page:
        await page.wait_for_message("ask")
        await page.socket.send_str("hello")
        await page.wait_for_message("no")
        await page.wait_for_end()


async def test_a_frame_that_is_too_large_closes_the_connection(tmp_path):
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page:
        await page.wait_for_message("ask")
        await page.socket.send_bytes(bytes(WEB_FRAME + 1))
        await page.wait_for_end()


async def test_a_frame_that_unpacks_to_megabytes_closes_the_connection(tmp_path):
    packer = zlib.compressobj(9, wbits=-15)
    bomb = (packer.compress(bytes(50_000_000)) + packer.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\0\0\xff\xff")
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page:
        await page.wait_for_message("ask")
        head = b"\xc2" + (b"\xff" + len(bomb).to_bytes(8, "big")) + b"\0\0\0\0"
        page.socket._conn.transport.write(head + bomb)
        await page.wait_for_end()


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://127.0.0.1:1"])
async def test_a_page_of_another_site_gets_no_socket(origin, tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        with pytest.raises(aiohttp.WSServerHandshakeError) as error:
            async with browsing(url, origin=origin):
                pass
        assert error.value.status == 403


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "@",
        "[::1",
        "127.0.0.1.evil.example",
        "[::1].evil.example",
        "evil.example@127.0.0.1",
        "127.0.0.1:80:80",
        "127.0.0.1/evil.example",
    ],
)
async def test_another_name_for_our_address_gets_no_page(host, tmp_path):
    """Otherwise a page of that name could talk to us as if it were ours (DNS rebinding)."""
    async with web_room(tmp_path) as (_, url, _):
        status, *_ = await get(f"{url}/", headers={"Host": host})
        assert status in (400, 421)


async def test_pages_load_only_own_files_and_cannot_be_framed(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        for path in ("/", "/t/7", "/plain", "/nothing", "/main.js", "/picture/learn.png"):
            _, _, headers = await get(f"{url}{path}", read_bufsize=1024)
            policy = headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert "Set-Cookie" not in headers


async def test_a_page_comes_in_the_language_of_the_browser_and_says_so_to_caches(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        _, page, headers = await get(f"{url}/", headers={"Accept-Language": "de-AT,en;q=0.5"})
        assert '<html lang="de">' in page
        assert "Accept-Language" in headers["Vary"]
        assert headers["Cache-Control"] == "no-cache"


async def test_the_service_worker_is_served_at_the_root_so_that_its_scope_is_all_pages(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        status, text, headers = await get(f"{url}/worker.js")
        assert (status, headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
        assert "fetch" not in text, "it keeps nothing"


async def test_the_entrance_names_the_server_and_the_target_of_the_link(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        _, page, _ = await get(f"{url}/t/7")

        assert "the &lt;club&gt;</span>" in page
        assert "<h1>&lt;b&gt;/t/7&lt;/b&gt;</h1>" in page
        assert 'src="/picture/t/7.png"' in page
        assert '<form id="entrance" action="/plain/t/7" data-go="">' in page
        assert '<a href="/w/7">' in page
        assert '<p id="private" hidden>' in page


async def test_the_entrance_asks_for_the_code_of_a_private_table_unless_the_link_has_it(tmp_path, monkeypatch):
    monkeypatch.setattr(Pages, "card", lambda *_: LinkPreview("A private table", "", asks_code=True))
    async with web_room(tmp_path) as (_, url, _):
        _, page, _ = await get(f"{url}/t/7")
        _, with_code, _ = await get(f"{url}/t/7?code=abc")

        assert '<p id="private" >' in page
        assert '<p id="private" hidden>' in with_code


async def test_the_main_button_of_a_full_table_leads_to_watching(tmp_path, monkeypatch):
    watch = LinkRow("/w/7", "Watch", "All seats are taken.")
    monkeypatch.setattr(Pages, "card", lambda *_: LinkPreview("Ann's table", "", main=watch))
    async with web_room(tmp_path) as (_, url, _):
        _, page, _ = await get(f"{url}/t/7")

        assert 'data-go="/w/7"' in page
        assert 'data-go="Watch">' in page
        assert "<p>All seats are taken.</p>" in page


async def test_a_language_chosen_on_the_page_is_stored_by_the_browser(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        status, _, headers = await get(f"{url}/t/7?lang=de&code=abc", allow_redirects=False)
        assert (status, headers["Location"]) == (303, "/t/7?code=abc")
        assert headers["Set-Cookie"].startswith("lang=de;")
        _, page, _ = await get(f"{url}/t/7", headers={"Cookie": "lang=de", "Accept-Language": "en"})
        assert '<html lang="de">' in page
        assert '<a href="/t/7?lang=en" lang="en">English</a>' in page
        _, page, _ = await get(f"{url}/t/7", headers={"Cookie": "lang=tlh", "Accept-Language": "en"})
        assert '<html lang="en">' in page


@pytest.mark.parametrize(("access", "lists"), [(None, True), (Access(invite="domino"), False)])
async def test_only_an_open_host_lists_its_tables_at_the_entrance(tmp_path, monkeypatch, access, lists):
    row = LinkRow("/t/7", "Draw", "<Ann> · a seat is free", "Sit down", is_free=True)
    monkeypatch.setattr(Pages, "card", lambda *_: LinkPreview("Boneyard", "", main=row, tables=(row,)))
    async with web_room(tmp_path, access=access or Access()) as (_, url, _):
        _, page, _ = await get(f"{url}/")

        assert ("&lt;Ann&gt;" in page) == lists
        assert ('data-go="/t/7"' in page) == lists
        assert "<Ann>" not in page


def test_the_seats_of_a_table_are_listed_with_their_names_escaped():
    seats = (("<b>Ada</b>", "", False), ("Blanche", "bot", False), ("free seat", "", True))

    assert seat_list(seats) == (
        '<ul id="seats"><li><strong>&lt;b&gt;Ada&lt;/b&gt;</strong></li><li><strong>Blanche</strong>bot</li>'
        "<li class=free><strong>free seat</strong></li></ul>"
    )
    assert seat_list(()) == ""


async def test_a_page_has_no_script_and_no_text_of_players_inline(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        _, page, _ = await get(f"{url}/t/7")
        assert "&lt;b&gt;/t/7&lt;/b&gt;" in page
        assert "<b>" not in page
        assert "<script>" not in page
        body_tag = page.partition("<body")[2].partition(">")[0]
        assert " on" not in body_tag.replace(" one", ""), "an inline event handler"


@pytest.mark.parametrize(
    "path", ["/t/x", "/t/7/8", "/x", "/t/" + "9" * 20, "/r/../x", "/static/x/../../door.py", "/g/"]
)
async def test_an_unknown_link_leads_to_the_entrance_in_plain_text(path, tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        status, text, _ = await get(aiohttp.client.URL(f"{url}{path}", encoded=True))
        assert status == 404
        assert text == "There is no such file." or text.endswith(f" here. The table is at {url}/")
        assert "<" not in text


async def test_a_file_is_compressed_and_cached_as_immutable_under_its_versioned_path(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        _, page, _ = await get(f"{url}/")
        versioned_path = page.partition('src="')[2].partition('"')[0]
        _, text, headers = await get(f"{url}{versioned_path}")
        assert "immutable" in headers["Cache-Control"]
        assert headers["Content-Type"].startswith("text/javascript")
        assert headers["Content-Encoding"] == "gzip"
        _, uncompressed, headers = await get(f"{url}{versioned_path}", headers={"Accept-Encoding": "identity"})
        assert "Content-Encoding" not in headers
        assert uncompressed == text


async def test_a_file_without_a_version_in_its_path_is_revalidated_each_time(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        _, _, headers = await get(f"{url}/main.js")
        assert headers["Cache-Control"] == "no-cache"
        status, *_ = await get(f"{url}/main.js", headers={"If-None-Match": headers["ETag"]})
        assert status == 304


async def test_a_socket_is_opened_by_get_alone(tmp_path):
    async with web_room(tmp_path) as (_, url, _), aiohttp.ClientSession() as session:
        headers = {"Origin": url, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        headers["Sec-WebSocket-Key"] = "AAAAAAAAAAAAAAAAAAAAAA=="
        async with session.post(f"{url}/ws", headers=headers) as answer:
            assert answer.status == 405


@pytest.mark.parametrize("header", ["Sec-WebSocket-Key: \xff", "Sec-WebSocket-Version: \xff\xfe"])
async def test_a_socket_whose_headers_are_not_ascii_is_refused(header, tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        port = int(url.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {url}"
        writer.write(f"{head}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n{header}\r\n\r\n".encode("latin-1"))
        assert b" 426 " in await with_timeout(reader.readline())
        writer.close()


@pytest.mark.parametrize("access", [{"invite": "double six"}, {"listed_keys": frozenset}])
@pytest.mark.parametrize("path", ["/t/1", "/w/1", "/r/chain"])
async def test_a_closed_host_hides_its_tables_from_strangers(path, access, tmp_path):
    async with web_room(tmp_path, access=Access(**access)) as (_, url, _):
        assert "&lt;b&gt;/&lt;/b&gt;" in (await get(f"{url}{path}"))[1]
    async with web_room(tmp_path) as (_, url, _):
        assert f"&lt;b&gt;{path}&lt;/b&gt;" in (await get(f"{url}{path}"))[1]


async def test_a_wrong_invitation_is_logged_with_its_address_and_name(tmp_path, caplog):
    caplog.set_level("WARNING")
    async with (
        web_room(tmp_path, access=Access(invite="double six")) as (_, url, _),
        browsing(url) as page,
    ):
        await page.enter(user="ann", invite="guess")
        await page.wait_for_message("no")
    (record,) = [record for record in caplog.records if record.message == "wrong-invitation"]
    assert record.fields == {"address": "127.0.0.1", "user": "ann"}


async def test_a_page_refuses_every_method_but_get(tmp_path):
    async with web_room(tmp_path) as (_, url, _), aiohttp.ClientSession() as session:
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            async with session.request(method, f"{url}/") as answer:
                assert answer.status == 405


async def test_an_unfinished_request_is_cut(tmp_path, monkeypatch):
    monkeypatch.setattr("net.web.door.WEB_REQUEST_TIMEOUT", 0.2)
    async with web_room(tmp_path) as (_, url, _):
        for beginning in (b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(beginning)
            assert await with_timeout(reader.read()) == b""
            writer.close()


async def test_silent_sockets_leave_room_for_pages(tmp_path):
    limits = Limits(unauthenticated=5, unauthenticated_per_address=5, silent_timeout=0.01)
    async with web_room(tmp_path, limits=limits) as (_, url, _):
        silent = [sockets.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) for _ in range(10)]
        await asyncio.sleep(0.1)
        assert (await get(f"{url}/"))[0] == 200
        for connection in silent:
            connection.close()


async def test_bytes_other_than_http_end_only_their_own_connection(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        for junk in (b"\x16\x03\x01\x02\x00\x01\x00", b"SSH-2.0-OpenSSH_9.9\r\n\r\n", bytes(range(256)) * 50):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(junk)
            writer.write_eof()
            answered = await with_timeout(reader.read())
            assert answered == b"" or answered.startswith(b"HTTP/1."), answered
            writer.close()
        assert (await get(f"{url}/"))[0] == 200


@pytest.mark.parametrize(("reported", "cell"), [([0, 0], None), ([0, 20], None), ([-1, 5], None), ([9, 18], (9, 18))])
async def test_the_cell_size_of_a_page_is_used_only_if_both_sides_are_positive(reported, cell, tmp_path):
    async with web_room(tmp_path) as (room, url, _), browsing(url) as page:
        await page.enter(cell=reported)
        await page.wait_for_message("in")
        _, terminal = await with_timeout(room.guests.get())
        await terminal.ask()
        assert terminal.cell == cell


def behind_proxy(**options):
    """Return the options of a door whose public URL is that of a proxy."""
    return DoorOptions(
        "127.0.0.1", name="club", web=WebOptions("127.0.0.1", 0, url="https://dominoes.example"), **options
    )


async def test_a_proxy_says_where_a_guest_comes_from(tmp_path):
    async with web_room(tmp_path, door=behind_proxy()) as (room, url, _):
        forwarded = {"X-Forwarded-For": "203.0.113.9, 198.51.100.7"}
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(
                f"{url}/ws", headers={"Origin": "https://dominoes.example", **forwarded}, protocols=("boneyard.1",)
            ) as socket,
        ):
            page = Browser(socket, "https://dominoes.example")
            await page.enter(Ed25519())
            await page.wait_for_message("in")
            assert (await with_timeout(room.guests.get()))[0].address == "198.51.100.7"


GUEST, IPV6_GUEST = "198.51.100.7", "2001:db8::7"
FORWARDING_HEADERS = [
    ("X-Forwarded-For", f"{GUEST}, 10.0.0.3, 10.0.0.2, 127.0.0.1", GUEST),
    ("X-Forwarded-For", f"192.0.2.1, {GUEST}:51234, 10.0.0.2:80", GUEST),
    ("X-Forwarded-For", f"made up, {GUEST}", GUEST),
    ("X-Forwarded-For", f"[{IPV6_GUEST}]:443, 10.0.0.2", IPV6_GUEST),
    ("X-Forwarded-For", IPV6_GUEST, IPV6_GUEST),
    ("X-Forwarded-For", f"::ffff:{GUEST}", GUEST),
    ("X-Forwarded-For", "10.0.0.9, 10.0.0.2", "10.0.0.9"),
    ("Forwarded", f'for={GUEST};proto=https;by=10.0.0.2, for="10.0.0.2:1234"', GUEST),
    ("Forwarded", f'for=unknown, For="[{IPV6_GUEST}]:4711"', IPV6_GUEST),
]


def through_proxy(session, url, headers):
    """Open the page's socket through a proxy that sends these headers."""
    headers = {"Origin": "https://dominoes.example", **headers}
    return session.ws_connect(f"{url}/ws", headers=headers, protocols=("boneyard.1",))


@pytest.mark.parametrize(("header", "value", "address"), FORWARDING_HEADERS)
async def test_the_address_of_a_guest_is_found_through_all_proxies_in_every_form(tmp_path, header, value, address):
    door = behind_proxy(access=AccessOptions(proxied_by=("10.0.0.0/8",)))
    async with (
        web_room(tmp_path, door=door) as (room, url, _),
        aiohttp.ClientSession() as session,
        through_proxy(session, url, {header: value}) as socket,
    ):
        page = Browser(socket, "https://dominoes.example")
        await page.enter(Ed25519())
        await page.wait_for_message("in")
        assert (await with_timeout(room.guests.get()))[0].address == address


@pytest.mark.parametrize(
    ("headers", "page"),
    [
        ({}, 200),
        ({"X-Forwarded-For": "unknown"}, 400),
        ({"X-Forwarded-For": f"{GUEST}, nowhere"}, 400),
        ({"Forwarded": f"for={GUEST}, for=_hidden"}, 400),
        ({"Forwarded": "proto=https"}, 400),
    ],
)
async def test_a_guest_whose_proxy_names_no_address_is_refused_with_one_log_line(tmp_path, caplog, headers, page):
    async with web_room(tmp_path, door=behind_proxy()) as (_, url, _), aiohttp.ClientSession() as session:
        for _ in range(2):
            with pytest.raises(aiohttp.WSServerHandshakeError) as error:
                await through_proxy(session, url, headers)
            assert error.value.status == 400
            async with session.get(f"{url}/plain", headers=headers) as answer:
                assert answer.status == 400
            async with session.get(f"{url}/", headers=headers) as answer:
                assert answer.status == page
    assert [record.getMessage() for record in caplog.records].count("no-proxy-header") == 1


async def test_an_unknown_proxy_is_not_believed(tmp_path):
    async with web_room(tmp_path) as (room, url, _):
        headers = {"Origin": url, "X-Forwarded-For": "198.51.100.7"}
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{url}/ws", headers=headers) as socket:
            page = Browser(socket, url)
            await page.enter()
            await page.wait_for_message("in")
            assert (await with_timeout(room.guests.get()))[0].address == "127.0.0.1"


async def test_limits_count_the_guests_of_a_proxy_by_their_own_addresses(tmp_path):
    limits = Limits(per_address=1)
    async with (
        web_room(tmp_path, door=behind_proxy(), limits=limits) as (_, url, _),
        aiohttp.ClientSession() as session,
    ):

        async def connect_from(address):
            headers = {"Origin": "https://dominoes.example", "X-Forwarded-For": address}
            return await session.ws_connect(f"{url}/ws", headers=headers, protocols=("boneyard.1",))

        sockets_open = [await connect_from("198.51.100.7"), await connect_from("198.51.100.8")]
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await connect_from("198.51.100.7")
        for _ in range(60):  # pages of the same proxy are not counted as one address
            assert (await get(f"{url}/"))[0] == 200
        assert not any(connection.closed for connection in sockets_open)


class ResumeReporter:
    """A listener that writes “the end” once its terminal has caught up."""

    def __init__(self, terminal):
        self.terminal = terminal

    def on_resume(self):
        self.terminal.write(b"the end")

    def on_pause(self):
        pass

    def on_end(self):
        pass


async def test_the_terminal_of_a_page_that_stops_reading_pauses_until_it_reads_again(tmp_path):
    async with web_room(tmp_path) as (room, url, _), browsing(url) as page:
        await page.enter()
        await page.wait_for_message("in")
        _, terminal = await with_timeout(room.guests.get())
        page.socket._conn.transport.pause_reading()
        async with asyncio.timeout(20):
            while not terminal.paused:
                terminal.write(os.urandom(8192))
                await asyncio.sleep(0)
        page.socket._conn.transport.resume_reading()
        reading = asyncio.ensure_future(page.wait_for(b"the end"))
        terminal.attach(ResumeReporter(terminal))
        await with_timeout(reading)


async def test_a_browser_plays_through_a_gateway(tmp_path):
    async with web_room(tmp_path, Room(gateways=2)) as (_, url, _), browsing(url) as page:
        await page.enter(Ed25519(), user="ann")
        await page.wait_for(b"hello ann")
        await page.type(b"q")
        await page.wait_for(b"bye")
        await page.wait_for_end()


@pytest.mark.parametrize("hop", [b"\xff", b"[2001:db8::7"])
async def test_a_malformed_address_of_a_guest_is_refused_as_bad_input(tmp_path, hop):
    async with web_room(tmp_path, door=behind_proxy()) as (_, url, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
        writer.write(b"GET / HTTP/1.1\r\nHost: dominoes.example\r\nX-Forwarded-For: " + hop + b"\r\n\r\n")
        assert b" 400 " in await with_timeout(reader.readline())
        writer.close()


def write_certificate(folder, days=5, since=-10, cipher=None):
    """Write a certificate that is valid from `since` to `days`, in days from now; return the options of its door."""
    key = generate_private_key(SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "dominoes.example")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now + timedelta(days=since))
        .not_valid_after(now + timedelta(days=days))
        .sign(key, SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, cipher or NoEncryption()))
    return WebOptions("127.0.0.1", 0, str(folder / "cert.pem"), str(folder / "key.pem"))


async def test_a_host_speaks_https_with_its_certificate(tmp_path):
    async with web_room(tmp_path, web=write_certificate(tmp_path)) as (_, url, port):
        status, text, headers = await get(f"https://127.0.0.1:{port.web}/t/7", ssl=False)
        assert status == 200
        assert headers["Strict-Transport-Security"].startswith("max-age=")
        assert f"https://127.0.0.1:{port.web}/picture/t/7.png" in text
        with pytest.raises(aiohttp.ClientError):
            await get(f"{url}/")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda folder: write_certificate(folder, days=-1), "ended on"),
        (lambda folder: write_certificate(folder, since=2), "is not valid before .* UTC; wait"),
        (lambda folder: write_certificate(folder, cipher=BestAvailableEncryption(b"secret")), "has a passphrase"),
        (lambda folder: (folder / "cert.pem").write_text("no certificate"), "cannot be used"),
        (lambda folder: (folder / "cert.pem").unlink(), "cannot be read"),
        (lambda folder: (folder / "key.pem").write_text("no key"), "cannot be used"),
        (lambda folder: (folder / "key.pem").unlink(), "cannot be read"),
    ],
)
async def test_a_certificate_that_cannot_be_used_keeps_the_host_from_opening(spoil, why, tmp_path):
    options = write_certificate(tmp_path)
    spoil(tmp_path)
    with pytest.raises(HostError, match=why):
        async with web_room(tmp_path, web=options):
            pass


async def test_a_certificate_that_was_renewed_is_read_again_and_a_spoilt_one_is_not(tmp_path):
    options = write_certificate(tmp_path)
    loaded = Certificate(options)
    first_context = loaded.context()
    write_certificate(tmp_path)
    os.utime(tmp_path / "cert.pem", (1, 1))
    second_context = loaded.context()
    assert second_context is not first_context
    (tmp_path / "cert.pem").write_text("spoilt")
    assert loaded.context() is second_context


async def test_an_occupied_port_is_reported_in_a_sentence(tmp_path):
    with sockets.create_server(("127.0.0.1", 0)) as other_server:
        port = other_server.getsockname()[1]
        with pytest.raises(HostError, match=f"already using port {port}"):
            async with web_room(tmp_path, web=WebOptions("127.0.0.1", port)):
                pass


async def test_the_requests_of_an_address_are_limited(tmp_path, monkeypatch):
    monkeypatch.setattr("net.web.door.WEB_REQUESTS_AT_ONCE", 3)
    monkeypatch.setattr("net.web.door.WEB_REQUESTS_PER_SECOND", 0.001)
    async with web_room(tmp_path) as (_, url, _):
        assert [(await get(f"{url}/"))[0] for _ in range(5)] == [200, 200, 200, 429, 429]


async def test_of_several_forwarding_headers_the_last_counts(tmp_path):
    """A proxy may append a line of its own to a forged one of the guest."""
    async with web_room(tmp_path, door=behind_proxy()) as (room, url, _), aiohttp.ClientSession() as session:
        headers = [
            ("Origin", "https://dominoes.example"),
            ("X-Forwarded-For", "203.0.113.9"),
            ("X-Forwarded-For", "198.51.100.7"),
        ]
        async with session.ws_connect(f"{url}/ws", headers=CIMultiDict(headers)) as socket:
            page = Browser(socket, "https://dominoes.example")
            await page.enter(Ed25519())
            await page.wait_for_message("in")
            assert (await with_timeout(room.guests.get()))[0].address == "198.51.100.7"


async def test_a_proxy_may_reuse_the_connection_of_a_refused_request_for_another_address(tmp_path):
    async with web_room(tmp_path, door=behind_proxy()) as (room, url, _), aiohttp.ClientSession() as session:
        headers = {"Origin": "https://dominoes.example", "X-Forwarded-For": "203.0.113.9"}
        async with session.get(f"{url}/ws", headers=headers) as answer:
            assert answer.status == 426
        headers["X-Forwarded-For"] = "198.51.100.7"
        async with session.ws_connect(f"{url}/ws", headers=headers) as socket:
            page = Browser(socket, "https://dominoes.example")
            await page.enter()
            await page.wait_for_message("in")
            assert (await with_timeout(room.guests.get()))[0].address == "198.51.100.7"


async def test_a_page_that_sends_much_without_logging_in_is_disconnected(tmp_path):
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page:
        await page.wait_for_message("ask")
        for _ in range(40):
            await page.send(t="alive")
        assert (await page.wait_for_message("no"))["why"].startswith("That was not")
        await page.wait_for_end()


async def test_a_page_that_types_endlessly_is_read_frame_by_frame_beside_others(tmp_path, monkeypatch):
    monkeypatch.setattr("net.web.session.WEB_FRAMES_AT_ONCE", 5)
    monkeypatch.setattr("net.web.session.WEB_FRAMES_PER_SECOND", 1)
    async with web_room(tmp_path) as (room, url, _), browsing(url) as page, browsing(url) as other_page:
        inputs = await type_without_end(page, room, monkeypatch)
        await other_page.enter()
        await other_page.wait_for_message("in")
        assert len(inputs) < 30
        page.cut()  # the rest is never read


async def test_a_certificate_that_comes_before_its_key_is_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr("net.web.door._CERTIFICATE_RETRY_DELAY", 0.0)
    options = write_certificate(tmp_path)
    loaded = Certificate(options)
    first_context, old_key = loaded.context(), (tmp_path / "key.pem").read_bytes()
    write_certificate(tmp_path)
    new_key = (tmp_path / "key.pem").read_bytes()
    (tmp_path / "key.pem").write_bytes(old_key)
    os.utime(tmp_path / "cert.pem", (1, 1))
    assert loaded.context() is first_context
    (tmp_path / "key.pem").write_bytes(new_key)
    os.utime(tmp_path / "key.pem", (2, 2))
    assert loaded.context() is not first_context


async def test_a_connection_cut_during_its_handshake_is_not_served(tmp_path):
    options = write_certificate(tmp_path)
    async with web_room(tmp_path, web=options) as (_, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port.web)
        for _ in range(10_000):
            if port.disconnect("127.0.0.1"):
                break
            await asyncio.sleep(0)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with contextlib.suppress(OSError):
            await with_timeout(writer.start_tls(context))
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert await with_timeout(reader.read()) == b""
        writer.close()


@pytest.mark.usefixtures("fresh_heap")
@pytest.mark.parametrize("ending", ["too much", "a false proof", "gone", "in", "cut"])
async def test_a_browser_that_has_gone_is_freed_without_a_timer_or_a_collection(ending, tmp_path):
    types = WebConnection | WebSession | web.WebSocketResponse | Terminal

    def objects_alive():
        return [instance for instance in gc.get_objects() if isinstance(instance, types)]

    async with web_room(tmp_path, limits=Limits(unauthenticated_per_address=20)) as (room, url, _):
        gc.collect()
        gc.disable()
        for _ in range(3):
            async with browsing(url) as page:
                if ending in ("in", "cut"):
                    await page.enter()
                    await page.wait_for_message("in")
                    await with_timeout(room.guests.get())
                if ending == "in":
                    await page.type(b"q")
                    await page.wait_for_end()
                elif ending == "too much":
                    await page.socket.send_bytes(bytes(4_000_000))
                    await page.wait_for_end()
                elif ending == "a false proof":
                    await page.enter(Ed25519(), origin="https://evil.example")
                    await page.wait_for_end()
                else:
                    page.cut()
        await until(lambda: not objects_alive())
