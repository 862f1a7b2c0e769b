"""Pages, blocks and reviews. Reviews are not in the contract; they speak its language all the same."""

from __future__ import annotations

from functools import partial
from typing import Any

from .api_crud import Crud, endpoints
from .api_errors import ApiError, required
from .api_kinds import FLAG, INTEGER, TEXT, TIME, choice, whole
from .api_products import PRODUCT
from .api_request import Endpoint, Rest
from .api_resource import Field, Json, Resource, fields
from .api_search import search
from .schema import REVIEW_STATUS


def _missing(what: str, key: object) -> ApiError:
    return ApiError(f'The {what} with the "%1" ID doesn\'t exist.', 404, [key])


_TIMES = fields(TIME, "creation_time", "update_time")
PAGE = Resource(
    "cms_page",
    "page_id",
    (
        *fields(INTEGER, "id=page_id"),
        *fields(
            TEXT, "identifier", "title", "page_layout", "meta_keywords", "meta_description", "content_heading", "content", sets=True
        ),
        *_TIMES,
        *fields(TEXT, "sort_order='0'"),
        Field("active", "is_active", FLAG, "is_active"),
        *fields(INTEGER, "page_id", "is_active", place="hidden"),
    ),
    partial(_missing, "CMS page"),
    ignored="meta_title layout_update_xml custom_theme custom_root_template custom_layout_update_xml custom_theme_from custom_theme_to",
)  # fmt: skip
BLOCK = Resource(
    "cms_block",
    "block_id",
    (
        *fields(INTEGER, "id=block_id"),
        *fields(TEXT, "identifier", "title", "content", sets=True),
        *_TIMES,
        Field("active", "is_active", FLAG, "is_active"),
        *fields(INTEGER, "block_id", "is_active", place="hidden"),
    ),
    partial(_missing, "CMS block"),
)


def _stars(value: Any) -> int:
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        raise ValueError
    return whole(value[0].get("value"))


_RATINGS = INTEGER._replace(
    expected="RatingInterface[]", read=_stars, options=range(1, 6),
    show=lambda stars: [{"rating_name": "Rating", "percent": stars * 20, "value": stars}],
)  # fmt: skip
REVIEW = Resource(
    "review",
    "review_id",
    (
        *fields(INTEGER, "id=review_id"),
        *fields(TEXT, "title", "detail", "nickname", sets=True),
        Field("ratings", "rating", _RATINGS, "rating"),
        *fields(TEXT, "review_entity='product'"),
        Field("review_status", "status_id", choice(REVIEW_STATUS), "status_id"),
        *fields(TIME, "created_at"),
        Field("entity_pk_value", "product_id", INTEGER, "product_id"),
        Field("customer_id", "NULLIF(customer_id, 0)", INTEGER, "customer_id"),
        *fields(INTEGER, "store_id=1"),
        *fields(INTEGER, "review_id", "status_id", "product_id", "rating", place="hidden"),
        *fields(TEXT, "sku=(SELECT sku FROM catalog_product WHERE entity_id = product_id)", place="hidden"),
    ),
    partial(_missing, "review"),
    ignored="review_type stores",
)


def _about(rest: Rest, body: Json, values: Json, id: int | None) -> Json:
    """Refuses a review of no product."""
    if id is None and "product_id" not in values:
        raise required("entity_pk_value")
    if "product_id" in values:
        PRODUCT.row(rest.db, values["product_id"])
    return values


PAGES = Crud("/cmsPage", "page", "id", "Magento_Cms::page", "cms_page", PAGE)
BLOCKS = Crud("/cmsBlock", "block", "id", "Magento_Cms::block", "cms_block", BLOCK)
REVIEWS = Crud("/reviews", "review", "id", "Magento_Review::reviews_all", "review", REVIEW, _about)
ENDPOINTS = (
    *(e for crud in (PAGES, BLOCKS, REVIEWS) for e in endpoints(crud)),
    Endpoint("GET", "/reviews", REVIEWS.permission, partial(search, resource=REVIEW)),
)
