"""Games in which tiles form a layout: one engine, the values that configure it, and the view of a seat."""
