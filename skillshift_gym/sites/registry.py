"""The embedded sites by name."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ..errors import SiteNotReady
from .protocol import Site

# Site -> module with `create(version)`, in the order of the reports.
MODULES = {
    "wordpress": "skillshift_gym.sites.wordpress.site",
    "magento": "skillshift_gym.sites.magento.site",
}
VERSIONS = ("v1", "v2")


def register_site(name: str, module: str) -> None:
    """Adds a site: a module with `create(version)`; an id for it is the caller's to register with Gymnasium."""
    MODULES[name] = module


def create(name: str, version: str) -> Site:
    """Returns a new site in its seeded state.

    Raises:
        SiteNotReady: There is no such site or version.
    """
    if name not in MODULES:
        raise SiteNotReady(f"no site {name!r}; expected one of {', '.join(MODULES)}")
    if version not in VERSIONS:
        raise SiteNotReady(f"{name}: no version {version!r}; expected one of {', '.join(VERSIONS)}")
    return cast(Site, import_module(MODULES[name]).create(version))
