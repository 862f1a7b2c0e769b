"""HTML pages that need nothing else: one Jinja environment for all of them."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def page(template: str, **values: Any) -> str:
    """Returns a template of this package, filled in; every value is escaped."""
    jinja = Environment(
        loader=PackageLoader("skillshift_gym.evaluation"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return jinja.get_template(template).render(**values)
