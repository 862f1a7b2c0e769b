"""Forms of the catalogue: products and reviews."""

from __future__ import annotations

from collections.abc import Mapping

from .content import column
from .forms import YES_NO, Form, Input
from .schema import REVIEW_STATUS, TAX_CLASS, VISIBILITY
from .seed_catalog import LADDERS


def _text_options(name: str, part: str) -> Mapping[str, str]:
    return {"": "", **{value: value for value in column(name, part)}}


PRODUCT = Form(
    "product",
    {
        "general": ("General", "Product Details"), "prices": ("Prices", "Advanced Pricing"), "inventory": ("Inventory", "Advanced Inventory"),
        "content": ("Description", "Content"), "attributes": ("Attributes", "Attributes"),
        "meta": ("Meta Information", "Search Engine Optimization"),
    },
    (
        Input("status", "general", "Status|product[status]|status", "Enable Product|product[status]|product-status", "switch", {1: "Enabled", 2: "Disabled"}),
        Input("name", "general", "Name|product[name]|name", "Product Name|product[name]|product-name", required=True),
        Input("sku", "general", "SKU|product[sku]|sku", "SKU|product[sku]|product-sku", required=True),
        Input("price", "prices", "Price|product[price]|price", "", "money", required=True),
        Input("price", "general", "", "Price|product[price]|product-price", "money", required=True),
        Input("special_price", "prices", "Special Price|product[special_price]|special_price", "Special Price|product[special_price]|product-special-price", "money"),
        Input("tax_class_id", "prices", "Tax Class|product[tax_class_id]|tax_class_id", "", "select", TAX_CLASS),
        Input("tax_class_id", "general", "", "Tax Class|product[tax_class_id]|product-tax-class", "select", TAX_CLASS),
        Input("qty", "inventory", "Qty|product[stock_data][qty]|inventory_qty", "", "number"),
        Input("qty", "general", "", "Quantity|product[quantity_and_stock_status][qty]|product-qty", "number"),
        Input("is_in_stock", "inventory", "Stock Availability|product[stock_data][is_in_stock]|inventory_stock_availability", "", "select", {1: "In Stock", 0: "Out of Stock"}),
        Input("is_in_stock", "general", "", "Stock Status|product[quantity_and_stock_status][is_in_stock]|product-stock-status", "select", {1: "In Stock", 0: "Out of Stock"}),
        Input("min_qty", "inventory", "Qty for Item's Status to Become Out of Stock|product[stock_data][min_qty]|inventory_min_qty", "Out-of-Stock Threshold|product[stock_data][min_qty]|product-min-qty", "number"),
        Input("manage_stock", "inventory", "Manage Stock|product[stock_data][manage_stock]|inventory_manage_stock", "Manage Stock|product[stock_data][manage_stock]|product-manage-stock", "select", YES_NO),
        Input("weight", "general", "Weight|product[weight]|weight", "Weight|product[weight]|product-weight"),
        Input("visibility", "general", "Visibility|product[visibility]|visibility", "Visibility|product[visibility]|product-visibility", "select", VISIBILITY),
        Input("url_key", "general", "URL Key|product[url_key]|url_key", ""),
        Input("description", "content", "Description|product[description]|description", "Description|product[description]|product-description", "area"),
        Input("short_description", "content", "Short Description|product[short_description]|short_description", "Short Description|product[short_description]|product-short-description", "area"),
        Input("color", "attributes", "Color|product[color]|color", "Color|product[color]|product-color", "select", lambda db: _text_options("catalog", "colors"), numeric=False),
        Input("size", "attributes", "Size|product[size]|size", "Size|product[size]|product-size", "select", lambda db: sizes(), numeric=False),
        Input("manufacturer", "attributes", "Manufacturer|product[manufacturer]|manufacturer", "Manufacturer|product[manufacturer]|product-manufacturer", "select", lambda db: _text_options("catalog", "brands"), numeric=False),
        Input("material", "attributes", "Material|product[material]|material", "Material|product[material]|product-material"),
        Input("url_key", "meta", "", "URL Key|product[url_key]|product-url-key"),
        Input("meta_title", "meta", "Meta Title|product[meta_title]|meta_title", "Meta Title|product[meta_title]|product-meta-title"),
        Input("meta_description", "meta", "Meta Description|product[meta_description]|meta_description", "Meta Description|product[meta_description]|product-meta-description", "area"),
    ),
    ("Save", "Save"), ("The product has been saved.", "You saved the product."), "The product has been deleted.",
)  # fmt: skip

REVIEW = Form(
    "review",
    {"details": ("Review Details", "Review Details")},
    (
        Input("status_id", "details", "Status|status_id", "Status|status_id", "select", REVIEW_STATUS),
        Input("nickname", "details", "Nickname|nickname", "Nickname|nickname", required=True),
        Input("title", "details", "Summary of Review|title", "Summary of Review|title", required=True),
        Input("detail", "details", "Review|detail", "Review|detail", "area", required=True),
    ),
    ("Save Review", "Save Review"), ("The review has been saved.", "You saved the review."), "The review has been deleted",
)  # fmt: skip


def sizes() -> Mapping[str, str]:
    """Returns the sizes a product may have."""
    return {"": "", **{size: size for ladder in LADDERS for size in ladder}}
