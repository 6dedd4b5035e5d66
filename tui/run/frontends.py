"""Shows a client to the local player: on the screens of a local session, or in plain lines."""

import signal
import sys
from typing import TYPE_CHECKING

from tui.model.look import Look
from tui.run.exiting import SignalExit, watch_stdin
from tui.solo import ClientSession, Show

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui.lessons import Tutor


def screen_frontend(
    look: Look, on_look_changed: "Callable[[Look], None] | None" = None, *, pictures: bool = False
) -> Show:
    """Return a frontend with full screens, in a local session of its own. The parameters are those of
    `local_session`.
    """

    async def show(client_session: ClientSession) -> str:
        from tui.run.local_session import local_session  # noqa: PLC0415 - plain lines need no Textual

        async with local_session(look, on_look_changed, pictures=pictures) as session:
            return await session.play(client_session)

    return show


def plain_frontend(*, ascii: bool, tutor: "Tutor | None" = None) -> Show:
    """Return a frontend with plain sentences, one in a line. `tutor` gives a lesson."""

    async def show(client_session: ClientSession) -> str:
        from tui.plain.conversation import Conversation  # noqa: PLC0415 - screens need no sentences
        from tui.plain.runner import Runner  # noqa: PLC0415
        from tui.plain.terminal_lines import Printer, local_lines  # noqa: PLC0415

        printer = Printer(ascii=ascii)
        conversation = Conversation(
            client_session.client,
            printer.say,
            table_request=client_session.table_request,
            name=client_session.name,
            thinkers=client_session.thinkers,
            is_match_kept=client_session.saver.can_resume,
            tutor=tutor,
        )
        client_session.saver.set_output(printer.say)
        runner = Runner(conversation, client_session.client, local_lines(), piped=not sys.stdin.isatty())
        printer.on_broken = runner.exit
        with SignalExit(runner.exit, signal.SIGINT), watch_stdin(runner.exit):
            try:
                reason, lines = await runner.run(client_session.converse)
            finally:  # before a signal kills the process
                client_session.client.goodbye()
                await client_session.saver.close()
        for line in lines:
            printer.say(line)
        return "" if printer.is_broken else reason

    return show
