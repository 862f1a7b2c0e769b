"""Gymnasium environments that measure whether web-agent skills survive when the website changes.

```python
import gymnasium as gym
import skillshift_gym

env = gym.make("SkillShift/WordPress-Src-v0")
observation, info = env.reset(seed=0)
```

Map of the package, lower layers first:

| module | what it holds |
|---|---|
| `errors`, `actions`, `document`, `roles`, `names`, `page`, `shift` | the contract: errors, action grammar, pages, shifts |
| `sites` | embedded websites: HTTP in, HTTP out, SQLite state |
| `browsers` | browsers that perform primitives on a site |
| `spaces`, `observation`, `candidates` | what agents see |
| `tasks` | families, instances, checks, oracles |
| `skills` | the record, banks, the step language and its executor, formats |
| `tabular` | small worlds that change between episodes, as Gymnasium environments |
| `env`, `snapshot`, `registration`, `probing` | the environment, branching, the registered ids, evidence about a live page |
| `wrappers` | shifts and views as Gymnasium wrappers (folder `wrappers/` of the repository) |
| `evaluation` | runner, metrics, reports, verification |
| `agents` | agents and their backbones (folder `agents/` of the repository) |
| `testing`, `commands`, `cli` | public test kit; the `skillshift` command and its subcommands |
"""

from __future__ import annotations

from pathlib import Path

# In a source checkout wrappers/ and agents/ sit beside this package and are mapped into it by
# [tool.setuptools.package-dir]; this lets them be imported without a build.
if not (Path(__file__).parent / "wrappers").is_dir():
    __path__.append(str(Path(__file__).parents[1]))

from .registration import make_cell, make_vec, register_all
from .snapshot import restore, snapshot

__version__ = "0.1.0"
__all__ = ["__version__", "make_cell", "make_vec", "restore", "snapshot"]

register_all()
