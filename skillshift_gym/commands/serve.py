"""`skillshift serve`: a site in your own browser."""

from __future__ import annotations

import argparse

from ..registration import SITES
from .arguments import Commands, add_command, sites


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "serve", _serve, "show a site in your own browser")
    parser.add_argument("--site", type=sites, default=("wordpress",), help=f"one of {', '.join(SITES)}")
    parser.add_argument("--version", default="v1", choices=("v1", "v2"), help="front end: v1 source, v2 target")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=int, default=8000, help="port to listen at; 0 picks a free one")


def _serve(arguments: argparse.Namespace) -> int:
    from ..sites.serve import serve

    serve(arguments.site[0], arguments.version, arguments.host, arguments.port)
    return 0
