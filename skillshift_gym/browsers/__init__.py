"""Browsers: one protocol, two implementations (in process; Chromium)."""
