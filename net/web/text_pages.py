"""The page for guests without a terminal: plain text as HTML, with scripts or without.

Its guests are like all others: each has a `Terminal` for lines of text, fed by forms, whose lines become a list.
"""

import asyncio
import re
import secrets
from collections import deque
from collections.abc import Callable
from html import escape
from urllib.parse import parse_qsl

from aiohttp import web

from core.words import Words, words
from net.doors.connections import Connections, LocalConnection
from net.doors.terminal import Identity, Terminal
from net.host.access import DenialReason
from net.host.metrics import SessionKind
from net.limits import CLEANUP_TIMEOUT, MAX_CLAIMED, MAX_LINE, WEB_FORM, WEB_REQUEST_TIMEOUT
from net.players.text import clean
from net.web.connection import WebConnection
from net.web.session import WRONG_CODE

MAX_LINES = 200
"""Lines that are kept and shown."""
QUIET_INTERVAL = 0.3
"""Seconds without a line after which an answer is complete."""
ABSENCE_TIMEOUT = 90.0
"""Seconds without a request after which a page is gone; a page with scripts polls all the time."""
POLL_TIMEOUT = 8.0
"""Seconds for which the poll of a page with scripts waits for lines."""
_MAX_FIELDS = 10
"""Maximum fields in a form; ours have three."""
MAX_POLLS = 2
"""Polls of one page that may wait at the same time; others are answered at once."""
_FORM_PATH = re.compile(r"/\d{1,9}/(say|news)")
"""Paths to which the page of a session posts: the number of the gateway, then `say` for input or `news` for a poll.
"""
_CHOICE = re.compile(r"(\d{1,2})\. (.*)")
_TYPED_TEXT = re.compile(r"“[^”]{1,40}”|„[^“]{1,40}“|«[^»]{1,40}»|^(?:ssh|boneyard) .*")
_MAX_PATH = 200
"""Characters of a deep link that are kept."""
NEWEST = words("What happens, the newest last")
ANSWER = words("Your answer, or “help”")
SEND = words("Send")
REFRESH = words("Refresh")
NAME = words("What name will you play under?")
CODE = words("The invitation code")
COME_IN = words("Enter")
OVER = words("You have left. Come back whenever you like.")
CHOICES = words("What you may choose")
INTRODUCTION = words("Dominoes in plain text: everything is told in sentences, and you choose by number.")
GONE = words("Your session has ended. Log in again.")


class PlainVisit(LocalConnection):
    """The session of a guest of this page, and the `Transport` of their terminal."""

    exchanged = True

    def __init__(self, address: str, connections: Connections, identity: Identity, language: str, path: str) -> None:
        super().__init__(address)
        self.read_since = asyncio.get_running_loop().time()
        self.lines: deque[str] = deque(maxlen=MAX_LINES)
        self.count = 0
        """Number of all lines so far."""
        self.last_input_count = 0
        """Value of `count` at the last input."""
        self.is_over = False
        self.waiting_polls = 0
        """Number of polls that wait for lines."""
        self._is_input_blocked = False
        """True while the terminal accepts no more input, because many lines wait for their turn."""
        self.terminal = Terminal(
            self, "plain", (80, 24), {"LANG": f"{language}.UTF-8"}, lines=True, echo=False, path=path
        )
        self._connections = connections
        self._identity = identity
        self._partial_line = b""
        self._new_output = asyncio.Event()
        self._gone = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._idle_timer = asyncio.get_running_loop().call_later(ABSENCE_TIMEOUT, self.request_end)

    @property
    def open_sessions(self) -> int:
        return int(not self.is_over)

    def begin(self) -> bool:
        """Begin the session; return False if the host accepts none."""
        self.identity = self._identity
        self._connections.report_progress(self)
        self._task = self._connections.start_session(self._play())
        return self._task is not None

    async def _play(self) -> None:
        try:
            await self._connections.run_session(
                self._connections.on_terminal(self._identity, self.terminal), SessionKind.TERMINAL, self._identity
            )
        finally:
            self.is_over = True
            self._idle_timer.cancel()
            self._new_output.set()
            self._connections.forget(self)
            self.terminal.release()
            self._task = None
            self._gone.set()

    def enter_line(self, line: str) -> None:
        """Enter a typed line."""
        if self._is_input_blocked:
            self._add_line("You are sending too much at once; wait a moment.")
            return
        self.last_input_count = self.count
        self.terminal.feed(clean(line, MAX_LINE).encode() + b"\r")

    def restart_absence_timer(self) -> None:
        """Restart the timer that ends the session without requests."""
        self._idle_timer.cancel()
        if not self.is_over:
            self._idle_timer = asyncio.get_running_loop().call_later(ABSENCE_TIMEOUT, self.request_end)

    async def wait_for_lines(self, known_count: int, seconds: float) -> None:
        """Wait for a line beyond the first `known_count`, then until none comes for `QUIET_INTERVAL` seconds; at most
        `seconds` for each.
        """
        try:
            async with asyncio.timeout(seconds):
                while self.count <= known_count and not self.is_over:
                    await self._wait_for_output()
            async with asyncio.timeout(seconds):
                while not self.is_over:
                    async with asyncio.timeout(QUIET_INTERVAL):
                        await self._wait_for_output()
        except TimeoutError:
            pass

    async def _wait_for_output(self) -> None:
        self._new_output.clear()
        await self._new_output.wait()

    def lines_after(self, known_count: int) -> list[str]:
        """Return the lines beyond the first `known_count`, as far as they are kept."""
        return (
            list(self.lines)[max(0, len(self.lines) - (self.count - known_count)) :]
            if known_count < self.count
            else []
        )

    @property
    def choices(self) -> list[tuple[str, str]]:
        """Last numbered choices since the last input."""
        choices: list[tuple[str, str]] = []
        for line in self.lines_after(self.last_input_count):
            if choice := _CHOICE.fullmatch(line):
                choices = choices if choice[1] != "1" else []
                choices.append((choice[1], choice[2]))
        return choices

    # Methods of a connection

    def request_end(self) -> None:
        self.terminal.end()

    def deny(self, reason: DenialReason) -> None:
        self._connections.count_denied(reason, self.address)
        self._add_line(reason.sentence)
        self.request_end()

    async def wait_closed(self) -> None:
        await self._gone.wait()

    # The `Transport` of its terminal

    def write(self, data: bytes) -> None:
        *lines, self._partial_line = (self._partial_line + data).split(b"\n")
        for line in lines:
            self._add_line(line.decode("utf-8", "replace").strip())

    def _add_line(self, line: str) -> None:
        if line:
            self.lines.append(line)
            self.count += 1
            self._new_output.set()

    def pause_reading(self) -> None:
        self._is_input_blocked = True

    def resume_reading(self) -> None:
        self._is_input_blocked = False

    def finish(self) -> None:
        """Do nothing: the session ends by itself."""

    def hang_up(self) -> None:
        self.request_end()
        if self._task is not None:
            asyncio.get_running_loop().call_later(CLEANUP_TIMEOUT, self._task.cancel)


class PlainPages:
    """Answers all requests below /plain."""

    def __init__(
        self, connections: Connections, translate: Callable[[Words, str], str], name: str, gateway: int
    ) -> None:
        """`translate` translates a sentence into a language, `name` is the host's name, and `gateway` the number of
        the process that gets the forms, if the host has several.
        """
        self._forms = f"/plain/{gateway}"
        self._connections = connections
        self._translate = translate
        self._name = name
        self._visits: dict[str, PlainVisit] = {}

    async def answer(
        self,
        request: web.BaseRequest,
        connection: WebConnection,
        address: str,
        static_path: str,
        origin: str,
        language: str,
    ) -> web.StreamResponse:
        """Answer a request from an address. Files are below `static_path`, and forms come from pages of `origin`."""
        form: dict[str, str] = {}
        if request.method == "POST":
            if request.headers.get("Origin", "").lower() != origin.lower():
                return web.Response(status=403, text="This form is of another site.")
            async with asyncio.timeout(WEB_REQUEST_TIMEOUT):
                body = await _read_form(request)
            if body is None:
                return web.Response(status=413, text="That is no form, or too large a one.")
            try:
                form = dict(
                    parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MAX_FIELDS)
                )
            except ValueError:
                return web.Response(status=413, text="That form has too many fields.")
        elif request.method not in ("GET", "HEAD"):
            return web.Response(status=405, text="Only GET and POST are known here.")
        path = request.path_qs[:_MAX_PATH].removeprefix("/plain")
        form_path = _FORM_PATH.fullmatch(path)
        if request.method != "POST":
            return self._login_page(language, "" if form_path else path, static_path)
        if not form_path:
            return await self._log_in(form, connection, address, language, path or "/", static_path)
        visit = self._visits.get(form.get("visit", ""))
        with connection.count_as(visit.identity if visit else None):
            return await self._continue_session(visit, form, language, static_path, has_input=form_path[1] == "say")

    def _login_page(self, language: str, path: str, static_path: str, problem: str = "") -> web.Response:
        """Return the login form, which leads to `path`; `problem` is why a login failed."""
        html_of = self._html_translator(language)
        asks_code = self._connections.access.has_invitation
        code_field = (
            f'<p><label>{html_of(CODE)} <input name="invite" autocomplete="off" required></label></p>'
            if asks_code
            else ""
        )
        return self._page(
            language,
            static_path,
            f"<p>{html_of(INTRODUCTION)}</p>"
            + (f'<p role="alert">{escape(problem)}</p>' if problem else "")
            + f'<form method="post" action="/plain{escape(path)}"><p><label>{html_of(NAME)} '
            f'<input name="name" autocomplete="nickname" maxlength="{MAX_CLAIMED}"></label></p>{code_field}'
            f"<p><button>{html_of(COME_IN)}</button></p></form>",
        )

    async def _log_in(
        self,
        form: dict[str, str],
        connection: WebConnection,
        address: str,
        language: str,
        path: str,
        static_path: str,
    ) -> web.StreamResponse:
        connections, access = self._connections, self._connections.access
        identity = Identity(form.get("name", "")[:MAX_CLAIMED], None, address)
        problem = ""
        if not access.can_enter(None):
            problem = "This host lets in only those whose key is on its list."
        elif access.must_give_code(None):
            verdict = await connections.judge_code(address, form.get("invite", "")[:MAX_CLAIMED], identity.user)
            if verdict is not True:
                problem = verdict.sentence if isinstance(verdict, DenialReason) else WRONG_CODE
        if not problem and not await connections.has_room_for(identity):
            problem = DenialReason.FULL.sentence
        visit = PlainVisit(address, connections, identity, language, path)
        if not problem and (
            reason := await connections.admit_visit(visit, identity, is_unchecked=connection.proxied)
        ):
            problem = reason.sentence
        if problem or not visit.begin():
            visit.request_end()
            return self._login_page(language, path, static_path, problem or DenialReason.CLOSING.sentence)
        token = secrets.token_urlsafe(16)
        self._visits = {key: other for key, other in self._visits.items() if not other.is_over}
        self._visits[token] = visit
        await visit.wait_for_lines(0, 2.0)
        if identity.user:
            visit.enter_line("")  # the name is asked for again, unless it is known
            await visit.wait_for_lines(visit.count, 1.0)
        return self._session_page(visit, token, language, static_path)

    async def _continue_session(
        self, visit: PlainVisit | None, form: dict[str, str], language: str, static_path: str, *, has_input: bool
    ) -> web.StreamResponse:
        """Continue a session. A page with scripts sends its number of lines as `after`, and gets only newer ones."""
        if visit is None:
            return self._login_page(language, "", static_path, self._translate(GONE, language))
        visit.restart_absence_timer()
        known_count_text = form.get("after", "")
        known_count = int(known_count_text) if known_count_text.isdecimal() and len(known_count_text) < 10 else None
        if has_input and not visit.is_over:
            count_before = visit.count  # the answer may come at once
            visit.enter_line(form.get("line", ""))
            await visit.wait_for_lines(count_before, 1.5)
        elif known_count is not None and visit.waiting_polls < MAX_POLLS:
            visit.waiting_polls += 1
            try:
                await visit.wait_for_lines(known_count, POLL_TIMEOUT)
            finally:
                visit.waiting_polls -= 1
        return self._session_page(visit, form["visit"], language, static_path, known_count)

    def _session_page(
        self, visit: PlainVisit, token: str, language: str, static_path: str, known_count: int | None = None
    ) -> web.Response:
        html_of = self._html_translator(language)
        lines = "".join(f"<p>{_mark_untranslatable(line)}</p>" for line in visit.lines_after(known_count or 0))
        visit_html = f'<input type="hidden" name="visit" value="{escape(token)}">'
        choices = "".join(
            f'<li><button name="line" value="{number}">{number}. {escape(text)}</button></li>'
            for number, text in visit.choices
        )
        log_html = (
            f'<h2 id="told">{html_of(NEWEST)}</h2><div id="log" role="log" aria-labelledby="told" '
            f'data-count="{visit.count}" tabindex="0">{lines}</div>'
        )
        if visit.is_over:
            return self._page(
                language,
                static_path,
                f'{log_html}<p role="alert">{html_of(OVER)}</p><p><a href="/plain">{html_of(COME_IN)}</a></p>',
            )
        return self._page(
            language,
            static_path,
            f'{log_html}<form id="choose" method="post" action="{self._forms}/say"{"" if choices else " hidden"}>'
            f'{visit_html}<h2>{html_of(CHOICES)}</h2><ul id="choices">{choices}</ul></form>'
            f'<form id="answer" method="post" action="{self._forms}/say">{visit_html}<p><label>{html_of(ANSWER)} '
            f'<input name="line" autocomplete="off" autocapitalize="off" maxlength="{MAX_LINE}" autofocus></label> '
            f"<button>{html_of(SEND)}</button></p></form>"
            f'<form id="again" method="post" action="{self._forms}/news">{visit_html}'
            f"<p><button>{html_of(REFRESH)}</button></p></form>",
            script=True,
        )

    def _html_translator(self, language: str) -> Callable[[Words], str]:
        return lambda sentence: escape(self._translate(sentence, language))

    def _page(self, language: str, static_path: str, body: str, *, script: bool = False) -> web.Response:
        scripts = f'<script type="module" src="{static_path}/plain.js"></script>' if script else ""
        title = escape(f"Boneyard · {self._name}")
        return web.Response(
            text=f'<!doctype html><html lang="{escape(language.replace("_", "-"))}"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
            f'<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="{static_path}/plain.css">{scripts}'
            f"</head><body><main><h1>{title}</h1>{body}</main></body></html>",
            content_type="text/html",
            headers={"Cache-Control": "no-store"},
        )


def _mark_untranslatable(line: str) -> str:
    """Return a line as HTML that keeps browsers from translating text to be typed: quoted words, and commands."""
    return _TYPED_TEXT.sub(lambda match: f'<span translate="no">{match[0]}</span>', escape(line, quote=False))


async def _read_form(request: web.BaseRequest) -> bytes | None:
    """Return the body of a form; None if it is too large or no form. `BaseRequest.post` takes megabytes, in any
    charset.
    """
    if request.content_type != "application/x-www-form-urlencoded" or request.headers.get("Content-Encoding"):
        return None
    body = b""
    while len(body) <= WEB_FORM and (chunk := await request.content.read(WEB_FORM + 1 - len(body))):
        body += chunk
    return body if len(body) <= WEB_FORM else None
