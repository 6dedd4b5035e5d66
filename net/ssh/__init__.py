"""The SSH room, the one place that speaks asyncssh.

Import `net.ssh.host` and `net.ssh.join` inside the functions that need them: they cost a local game 200 ms
that it does not owe. `net.ssh.guest` and `net.ssh.stream` know no asyncssh and are cheap.
"""
