"""SWOP (Sliding-Window Optimistic Prior-Guided Planning) on tabular worlds, and the measurement of its regret."""
