"""Steps of this package and of BrowserGym on the same pages: `python benchmarks/browsergym_cost.py PYTHON`.

PYTHON is the interpreter of an environment of its own with `pip install browsergym-core`. The pages of about 200 and 2,000
elements are served on a free port for BrowserGym, and answered in process for us; both drive the same Chromium in
the same run. BrowserGym's fixed waits are off (`pre_observation_delay=0`, `slow_mo=0`). Medians in milliseconds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from chromium_cost import BUDGETS, make_plain, steps
from step_cost import median
from werkzeug.serving import WSGIRequestHandler, make_server

from skillshift_gym.browsers.chromium_launch import find_chromium
from skillshift_gym.sites.registry import create
from skillshift_gym.sites.serve import Application

TITLES = {"reset": "reset", "fill": "fill", "click": "click a heading", "link": "follow a link"}


class _Quiet(WSGIRequestHandler):
    """Logs no request."""

    def log_request(self, *_: object) -> None:
        """Says nothing."""


def main() -> int:
    """Measures both and returns the exit code."""
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    env = make_plain()
    ours = {size: (median(lambda: env.reset(seed=0), 20), *steps(env, size)) for size in BUDGETS}
    env.close()
    server = make_server("127.0.0.1", 0, Application(create("plain", "v1")), threaded=True, request_handler=_Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("| page | step | skillshift_gym | BrowserGym | ratio |\n|---|---|---|---|---|")
    for size in BUDGETS:
        theirs = _browsergym(sys.argv[1], f"http://127.0.0.1:{server.server_port}/{size}/1/")
        for (key, title), mine in zip(TITLES.items(), ours[size], strict=True):
            print(f"| {size} elements | {title} | {mine:.1f} | {theirs[key]:.1f} | {theirs[key] / mine:.0f} |")
    server.shutdown()
    return 0


def _browsergym(python: str, url: str) -> dict[str, Any]:
    """Returns BrowserGym's medians on a page."""
    client = Path(__file__).with_name("browsergym_client.py")
    done = subprocess.run([python, client, url, str(find_chromium())], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"BrowserGym did not run with {python}:\n{done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    sys.exit(main())
