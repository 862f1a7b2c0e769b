"""Arrows between modules go one way, as CONTRIBUTING.md and the decisions say."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Lower layers first; a module may import from its own layer and from lower ones.
LAYERS = [
    ("errors", "files", "segments", "months", "keyed", "lru"),
    (
        "grammar",
        "actions",
        "document",
        "role_tables",
        "roles",
        "names",
        "states",
        "markup",
        "outline",
        "page",
        "shift",
        "sites.protocol",
    ),
    (
        "sites",
        "browsers",
        "spaces",
        "observation",
        "reading",
        "vocabulary",
        "goal_values",
        "spans",
        "tables",
        "outlook",
        "forms",
        "answers",
        "candidates",
        "context",
        "feature_table",
        "form_features",
        "answer_features",
        "features",
    ),
    ("tasks", "skills"),
    ("episode", "performing", "calling", "env", "probing", "tabular", "snapshot", "registration"),
    ("wrappers", "live"),
    ("evaluation", "coda"),
    ("agents",),
    ("fuzzing", "testing", "doctor", "commands", "cli", "__main__"),
]
# Parts of one layer that must not know each other.
APART = [("sites", "browsers"), ("wrappers", "live"), ("tasks", "skills")]


def modules():
    folders = {"": ROOT / "skillshift_gym", "agents": ROOT / "agents", "wrappers": ROOT / "wrappers"}
    for prefix, folder in folders.items():
        for path in sorted(folder.rglob("*.py")):
            parts = [prefix, *path.relative_to(folder).with_suffix("").parts]
            name = ".".join(p for p in parts if p and p != "__init__")
            if name:
                yield name, path


def layer(name):
    """Returns the layer of a module: the longest listed prefix counts."""
    matches = [
        (len(entry), number)
        for number, entries in enumerate(LAYERS)
        for entry in entries
        if name == entry or name.startswith(entry + ".")
    ]
    return max(matches)[1] if matches else None


def imports(name, path):
    """Yields the package's modules that a module imports at its top level or inside functions."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
            elif (node.module or "").split(".")[0] == "skillshift_gym":
                base, node.module = [], ".".join(node.module.split(".")[1:])
            else:
                continue
            target = ".".join([*base, *([node.module] if node.module else [])])
            known = {m for m, _ in modules()}
            for alias in node.names:
                longer = f"{target}.{alias.name}".strip(".")
                yield longer if longer in known else target
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("skillshift_gym."):
                    yield alias.name.removeprefix("skillshift_gym.")


def test_every_module_has_a_layer():
    assert [name for name, _ in modules() if layer(name) is None] == []


def test_modules_import_from_their_own_and_lower_layers_only():
    wrong = [
        f"{name} imports {target}"
        for name, path in modules()
        for target in imports(name, path)
        if target and layer(target) is not None and layer(target) > layer(name)
    ]
    assert wrong == []


def test_neighbours_do_not_know_each_other():
    wrong = [
        f"{name} imports {target}"
        for name, path in modules()
        for target in imports(name, path)
        for a, b in [*APART, *(pair[::-1] for pair in APART)]
        if name.startswith(a) and target.startswith(b) and target != "sites.protocol"
    ]
    assert wrong == []


def test_sites_know_no_tasks_and_environments_no_agents():
    for name, path in modules():
        targets = list(imports(name, path))
        if name.startswith("sites"):
            assert not [t for t in targets if t.startswith(("tasks", "browsers", "env", "agents"))], name
        if name in ("env", "snapshot", "registration") or name.startswith("browsers"):
            assert not [t for t in targets if t.startswith(("wrappers", "agents", "evaluation"))], name
