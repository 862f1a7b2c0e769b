"""Files and functions stay small enough to read."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAX_FILE, MAX_FUNCTION = 300, 40


def sources():
    return [p for folder in ("skillshift_gym", "agents", "wrappers") for p in sorted((ROOT / folder).rglob("*.py"))]


def test_no_file_is_longer_than_the_cap():
    long = {str(p.relative_to(ROOT)): n for p in sources() if (n := len(p.read_text().splitlines())) > MAX_FILE}
    assert long == {}


def test_no_function_is_longer_than_the_cap():
    long = {}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                size = (node.end_lineno or 0) - node.lineno + 1
                documented = ast.get_docstring(node)
                size -= len(documented.splitlines()) if documented else 0
                if size > MAX_FUNCTION:
                    long[f"{path.relative_to(ROOT)}:{node.name}"] = size
    assert long == {}
