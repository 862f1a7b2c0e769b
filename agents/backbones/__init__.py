"""Backbones: what turns an observation into scored candidate actions."""
