"""A host with a door for browsers, for the tests of net/web, and a page that speaks like ours."""

import base64
import json
from contextlib import asynccontextmanager
from functools import partial
from typing import ClassVar

import aiohttp
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from net.doors.terminal import LinkPreview
from net.options import DoorOptions, WebOptions
from net.web.door import serve_web
from net.web.session import PROTOCOL
from tests.net.ssh_room import Room, serve_room, with_timeout

BYTES, MESSAGE = b"\0", b"\1"


class Pages:
    """The deep links of a host that has none."""

    languages: ClassVar = {"en": "English", "de": "Deutsch"}

    def card(self, path, language):
        return LinkPreview(f"<b>{path}</b>", "a table")

    async def picture(self, path):
        return b"\x89PNG"

    def language(self, accepted):
        return accepted[:2] or "en"

    def translate(self, sentence, language):
        return f"{sentence.text}"


@asynccontextmanager
async def web_room(tmp_path, room=None, web=None, door=None, **host_options):
    """Open a host; yield its room, the URL of its pages and the door."""
    room = room or Room()
    room.pages = Pages()
    options = door or DoorOptions("127.0.0.1", name="the <club>", web=web or WebOptions("127.0.0.1", 0))
    host_options["web" if room.gateways else "second_door"] = (
        options.web if room.gateways else partial(serve_web, options, Pages())
    )
    async with serve_room(room, tmp_path, **host_options) as port:
        yield room, f"http://127.0.0.1:{port.web}", port


class Browser:
    """A page, as far as the host can tell."""

    def __init__(self, socket, origin):
        self.socket, self.origin = socket, origin
        self.output, self.messages = b"", []

    async def receive(self):
        """Take the next frame; return its message, or None for terminal output; "closed" at the end."""
        frame = await with_timeout(self.socket.receive())
        if frame.type is not aiohttp.WSMsgType.BINARY:
            return "closed"
        if frame.data[:1] == BYTES:
            self.output += frame.data[1:]
            return None
        self.messages.append(json.loads(frame.data[1:]))
        return self.messages[-1]

    async def wait_for_message(self, tag):
        while (message := await self.receive()) is None or message == "closed" or message["t"] != tag:
            assert message != "closed", self.messages
        return message

    async def wait_for(self, output):
        while output not in self.output:
            assert await self.receive() != "closed", (self.output, self.messages)

    async def wait_for_end(self):
        while await self.receive() != "closed":
            pass

    async def send(self, **message):
        await self.socket.send_bytes(MESSAGE + json.dumps(message).encode())

    async def type(self, data):
        await self.socket.send_bytes(BYTES + data)

    def cut(self):
        """Break the connection and lose the data on it."""
        self.socket._response.close()

    async def enter(self, key=None, origin=None, **fields):
        """Ask to enter, perhaps with a key."""
        ask_message = await self.wait_for_message("ask")
        await self.enter_again(ask_message, key, origin, **fields)

    async def enter_again(self, ask_message, key=None, origin=None, **fields):
        proof = {"key": key.proof(ask_message["nonce"], origin or self.origin, ask_message["host"])} if key else {}
        await self.send(**{"t": "enter", "columns": 80, "rows": 24, **proof, **fields})


class Ed25519:
    """A key as WebCrypto makes it."""

    kind = "ed25519"

    def __init__(self):
        self.private_key = Ed25519PrivateKey.generate()

    @property
    def public(self):
        return self.private_key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, data):
        return self.private_key.sign(data)

    def proof(self, nonce, origin, host):
        signed = f"boneyard web 1\n{nonce}\n{origin}\n{host}".encode()
        return {"kind": self.kind, "public": base64_text(self.public), "signature": base64_text(self.sign(signed))}


class P256(Ed25519):
    """A key for browsers that support no other."""

    kind = "p256"

    def __init__(self):
        self.private_key = generate_private_key(SECP256R1())

    @property
    def public(self):
        return self.private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def sign(self, data):
        r, s = decode_dss_signature(self.private_key.sign(data, ECDSA(SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


async def type_without_end(page, room, monkeypatch):
    """Enter and type many frames; return the list of input that the terminal is fed."""
    await page.enter()
    await page.wait_for_message("in")
    _, terminal = await with_timeout(room.guests.get())
    inputs = []
    monkeypatch.setattr(terminal, "feed", inputs.append)
    for _ in range(30):
        await page.type(b"x")
    return inputs


def base64_text(data):
    return base64.b64encode(data).decode()


@asynccontextmanager
async def browsing(url, origin=None, **options):
    """Open the WebSocket of a page; an empty `origin` sends no such header."""
    headers = {"Origin": url if origin is None else origin} if origin != "" else {}
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{url}/ws", headers=headers, protocols=(PROTOCOL,), compress=15, **options) as socket,
    ):
        yield Browser(socket, url)
