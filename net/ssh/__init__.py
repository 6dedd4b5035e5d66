"""Everything that uses SSH, and the only package that imports asyncssh.

Import `net.ssh.server.listen` and `net.ssh.client.connect` inside the functions that need them, since asyncssh takes
200 ms to import and a local game does not need it. `net.doors.terminal` and `net.wire.link` do not import it.
"""
