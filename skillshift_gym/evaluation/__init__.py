"""Evaluation: metrics, runner, reports, verification."""
