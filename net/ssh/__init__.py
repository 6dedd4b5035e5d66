"""All code that uses SSH; no other package imports asyncssh.

Import `net.ssh.server.listen` and `net.ssh.client.connect` inside the functions that need them: asyncssh takes 200 ms
to import, and a local game does not need it. `net.doors.terminal` and `net.wire.link` do not import it.
"""
