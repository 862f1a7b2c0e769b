"""Tabular worlds that change between episodes: their tables, how they move, and Gymnasium environments of them."""
