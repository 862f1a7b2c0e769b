"""The paper's two tables and its question of relearning, on these sites: what is run, and how it is shown."""
