"""The SSH room, the one place that speaks asyncssh.

Import `net.ssh.server.listen` and `net.ssh.client.connect` inside the functions that need them: they cost a local
game 200 ms that it does not owe. `net.ssh.server.terminal` and `net.ssh.frames` know no asyncssh and are cheap.
"""
