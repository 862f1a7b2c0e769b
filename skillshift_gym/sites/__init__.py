"""Embedded sites: one SQLite state, one REST API and two front ends each."""
