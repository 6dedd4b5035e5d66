"""The level `greedy-1`: the first greedy bot, which never changes, so that every level can be measured against it."""
