"""The shop about itself: websites, stores, modules."""

from __future__ import annotations

from .api_request import Rest, table
from .api_resource import Json

_MODULES = (
    "Magento_Backend", "Magento_Catalog", "Magento_CatalogInventory", "Magento_Cms", "Magento_ConfigurableProduct", "Magento_Customer",
    "Magento_Review", "Magento_Sales", "Magento_SalesRule", "Magento_Store", "Magento_Webapi",
)  # fmt: skip


def configs(rest: Rest) -> list[Json]:
    """The configuration of the store."""
    base = f"{rest.call.site.origin}/"
    urls = {
        f"{kind}{name}": base + path
        for kind in ("", "secure_")
        for name, path in (
            ("base_url", ""),
            ("base_link_url", ""),
            ("base_static_url", "static/"),
            ("base_media_url", "media/"),
        )
    }
    return [
        {
            "id": 1, "code": "default", "website_id": 1, "locale": "en_US", "base_currency_code": "USD",
            "default_display_currency_code": "USD", "timezone": "UTC", "weight_unit": "kgs", **urls,
        }
    ]  # fmt: skip


def websites(rest: Rest) -> list[Json]:
    """The websites."""
    return [
        {"id": 0, "code": "admin", "name": "Admin", "default_group_id": 0},
        {"id": 1, "code": "base", "name": "Main Website", "default_group_id": 1},
    ]


def groups(rest: Rest) -> list[Json]:
    """The stores."""
    return [
        {"id": 0, "website_id": 0, "root_category_id": 0, "default_store_id": 0, "name": "Default", "code": "default"},
        {"id": 1, "website_id": 1, "root_category_id": 2, "default_store_id": 1, "name": "Main Website Store", "code": "main_website_store"},
    ]  # fmt: skip


def views(rest: Rest) -> list[Json]:
    """The store views."""
    return [
        {"id": 0, "code": "admin", "name": "Admin", "website_id": 0, "store_group_id": 0, "is_active": 1},
        {"id": 1, "code": "default", "name": "Default Store View", "website_id": 1, "store_group_id": 1, "is_active": 1},
    ]  # fmt: skip


def modules(rest: Rest) -> list[str]:
    """The modules whose part of the contract there is."""
    return list(_MODULES)


_STORE = {
    "GET /store/storeConfigs": configs,
    "GET /store/websites": websites,
    "GET /store/storeGroups": groups,
    "GET /store/storeViews": views,
    "GET /modules": modules,
}
ENDPOINTS = table("Magento_Backend::store", _STORE)
