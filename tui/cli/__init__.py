"""The command `boneyard`: what is typed, checked, and handed to what runs it."""

import gc

COLLECT_AFTER = 200_000
"""Objects after which Python looks for garbage. The usual 700 cost a start 50 ms, in which modules are loaded and
nothing is garbage."""
gc.set_threshold(COLLECT_AFTER)  # before anything else is loaded
