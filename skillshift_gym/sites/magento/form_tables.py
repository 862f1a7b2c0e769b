"""All forms by the name of what they edit."""

from __future__ import annotations

from .forms_catalog import PRODUCT, REVIEW
from .forms_marketing import BLOCK, CATALOG_RULE, PAGE, SALES_RULE
from .forms_people import ADDRESS, CATEGORY, CUSTOMER, GROUP, ORDER_ADDRESS, SEARCH_TERM

FORMS = {
    form.entity: form
    for form in (
        PRODUCT, REVIEW, SALES_RULE, CATALOG_RULE, PAGE, BLOCK, CUSTOMER, ORDER_ADDRESS, ADDRESS, CATEGORY, GROUP, SEARCH_TERM,
    )
}  # fmt: skip
