"""Tasks: families that generate instances, their checks, and oracles that prove them solvable."""
