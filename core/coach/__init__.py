"""The coach: the cost of each decision of a recorded match, and the luck of its deals. Pure, like all of core."""
