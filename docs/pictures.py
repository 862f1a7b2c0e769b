"""Takes the pictures of the documents in Chromium: `python docs/pictures.py`."""

from __future__ import annotations

from pathlib import Path

import gymnasium
from PIL import Image

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.registration import env_id

FOLDER = Path(__file__).parent / "images"
TAKEN = (
    ("wordpress", "src"),
    ("wordpress", "tgt"),
    ("wordpress", "src-perc"),
    ("wordpress", "tgt-exec"),
    ("magento", "src"),
    ("magento", "tgt"),
)


def main() -> None:
    """Takes one picture of the first page of each cell."""
    FOLDER.mkdir(exist_ok=True)
    for site, condition in TAKEN:
        env = gymnasium.make(env_id(site, condition), browser="chromium", render_mode="rgb_array")
        env.reset(seed=0, options={"task": f"{site}.0"})
        Image.fromarray(env.render()).resize((960, 540)).save(FOLDER / f"{site}-{condition}.jpg", quality=82)  # type: ignore[arg-type]
        env.close()


if __name__ == "__main__":
    main()
