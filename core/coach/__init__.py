"""The coach: what each decision of a recorded match cost, and how lucky its deals were. Pure, like all of core."""
