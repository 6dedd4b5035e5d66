"""The bots: functions from a view to an action, by level."""
