"""The command `boneyard`: parses and checks its arguments, and runs the chosen command."""

import gc

COLLECT_AFTER = 200_000
"""Objects after which Python looks for garbage. The default of 700 makes a start 50 ms slower: it loads modules, and
nothing is garbage.
"""
gc.set_threshold(COLLECT_AFTER)  # before all other imports
