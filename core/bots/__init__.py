"""What plays by itself: functions from a view to an action, by level."""
