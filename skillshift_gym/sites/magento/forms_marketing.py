"""Forms of price rules, pages and blocks."""

from __future__ import annotations

from .forms import YES_NO, Form, Input
from .grids import SWITCH, groups
from .schema import ACTIONS, COUPON_TYPE

_CONTENT = {
    "content": ("Content", "Content"),
    "meta": ("Meta Data", "Search Engine Optimization"),
    "design": ("Design", "Design"),
}

_WEBSITES = {1: "Main Website"}


def _rule_inputs(prefix: str) -> tuple[Input, ...]:
    """Returns what both kinds of price rules begin with."""
    return (
        Input("name", "information", f"Rule Name|name|{prefix}_name", "Rule Name|name", required=True),
        Input("description", "information", f"Description|description|{prefix}_description", "Description|description", "area"),
        Input("is_active", "information", f"Status|is_active|{prefix}_is_active", "", "select", {1: "Active", 0: "Inactive"}),
        Input("is_active", "information", "", "Active|is_active", "switch", YES_NO),
        Input("website_ids", "information", f"Websites|website_ids[]|{prefix}_website_ids", "Websites|website_ids", "multi", _WEBSITES, required=True),
        Input("customer_group_ids", "information", f"Customer Groups|customer_group_ids[]|{prefix}_customer_group_ids", "Customer Groups|customer_group_ids", "multi", groups, required=True),
    )  # fmt: skip


SALES_RULE = Form(
    "salesrule",
    {
        "information": ("Rule Information", "Rule Information"), "conditions": ("Conditions", "Conditions"),
        "actions": ("Actions", "Actions"),
    },
    (
        *_rule_inputs("rule"),
        Input("coupon_type", "information", "Coupon|coupon_type|rule_coupon_type", "Coupon|coupon_type", "select", COUPON_TYPE),
        Input("coupon_code", "information", "Coupon Code|coupon_code|rule_coupon_code", "Coupon Code|coupon_code"),
        Input("uses_per_coupon", "information", "Uses per Coupon|uses_per_coupon|rule_uses_per_coupon", "Uses per Coupon|uses_per_coupon", "number"),
        Input("uses_per_customer", "information", "Uses per Customer|uses_per_customer|rule_uses_per_customer", "Uses per Customer|uses_per_customer", "number"),
        Input("from_date", "information", "From Date|from_date|rule_from_date", "From|from_date", "date"),
        Input("to_date", "information", "To Date|to_date|rule_to_date", "To|to_date", "date"),
        Input("sort_order", "information", "Priority|sort_order|rule_sort_order", "Priority|sort_order", "number"),
        Input("conditions", "conditions", "Apply the rule only if|conditions|rule_conditions", "Apply the rule only if|conditions", "area"),
        Input("simple_action", "actions", "Apply|simple_action|rule_simple_action", "Apply|simple_action", "select", ACTIONS, numeric=False),
        Input("discount_amount", "actions", "Discount Amount|discount_amount|rule_discount_amount", "Discount Amount|discount_amount", "money", required=True),
        Input("discount_qty", "actions", "Maximum Qty Discount is Applied To|discount_qty|rule_discount_qty", "Maximum Qty Discount is Applied To|discount_qty", "number"),
        Input("discount_step", "actions", "Discount Qty Step (Buy X)|discount_step|rule_discount_step", "Discount Qty Step (Buy X)|discount_step", "number"),
        Input("apply_to_shipping", "actions", "Apply to Shipping Amount|apply_to_shipping|rule_apply_to_shipping", "", "select", YES_NO),
        Input("apply_to_shipping", "actions", "", "Apply to Shipping Amount|apply_to_shipping", "switch", YES_NO),
        Input("simple_free_shipping", "actions", "Free Shipping|simple_free_shipping|rule_simple_free_shipping", "Free Shipping|simple_free_shipping", "select", {0: "No", 1: "For matching items only"}),
        Input("stop_rules_processing", "actions", "Stop Further Rules Processing|stop_rules_processing|rule_stop_rules_processing", "", "select", YES_NO),
        Input("stop_rules_processing", "actions", "", "Discard subsequent rules|stop_rules_processing", "switch", YES_NO),
    ),
    ("Save", "Save"), ("The rule has been saved.", "You saved the rule."), "The rule has been deleted.",
)  # fmt: skip

CATALOG_RULE = Form(
    "catalogrule",
    SALES_RULE.sections,
    (
        *_rule_inputs("rule"),
        Input("from_date", "information", "From Date|from_date|rule_from_date", "From|from_date", "date"),
        Input("to_date", "information", "To Date|to_date|rule_to_date", "To|to_date", "date"),
        Input("sort_order", "information", "Priority|sort_order|rule_sort_order", "Priority|sort_order", "number"),
        Input("conditions", "conditions", "Apply the rule only if|conditions|rule_conditions", "Apply the rule only if|conditions", "area"),
        Input("simple_action", "actions", "Apply|simple_action|rule_simple_action", "Apply|simple_action", "select", {"by_percent": "By Percentage of the Original Price", "by_fixed": "By Fixed Amount"}, numeric=False),
        Input("discount_amount", "actions", "Discount Amount|discount_amount|rule_discount_amount", "Discount Amount|discount_amount", "money", required=True),
        Input("stop_rules_processing", "actions", "Stop Further Rules Processing|stop_rules_processing|rule_stop_rules_processing", "", "select", YES_NO),
        Input("stop_rules_processing", "actions", "", "Discard subsequent rules|stop_rules_processing", "switch", YES_NO),
    ),
    ("Save", "Save"), ("The rule has been saved.", "You saved the rule."), "The rule has been deleted.",
)  # fmt: skip

PAGE = Form(
    "page",
    {"information": ("Page Information", "Page Information"), **_CONTENT},
    (
        Input("title", "information", "Page Title|title|page_title", "Page Title|title", required=True),
        Input("identifier", "information", "URL Key|identifier|page_identifier", "", required=True),
        Input("is_active", "information", "Status|is_active|page_is_active", "", "select", SWITCH),
        Input("is_active", "information", "", "Enable Page|is_active", "switch", YES_NO),
        Input("content_heading", "content", "Content Heading|content_heading|page_content_heading", "Content Heading|content_heading"),
        Input("content", "content", "Content|content|page_content", "Content|content", "area"),
        Input("page_layout", "design", "Layout|root_template|page_root_template", "Layout|page_layout", "select", {"1column": "1 column", "2columns-left": "2 columns with left bar"}, numeric=False),
        Input("identifier", "meta", "", "URL Key|identifier"),
        Input("meta_keywords", "meta", "Keywords|meta_keywords|page_meta_keywords", "Meta Keywords|meta_keywords", "area"),
        Input("meta_description", "meta", "Description|meta_description|page_meta_description", "Meta Description|meta_description", "area"),
    ),
    ("Save Page", "Save"), ("The page has been saved.", "You saved the page."), "The page has been deleted.",
)  # fmt: skip

BLOCK = Form(
    "block",
    {"information": ("General Information", "Block Information")},
    (
        Input("is_active", "information", "", "Enable Block|is_active", "switch", YES_NO),
        Input("title", "information", "Block Title|title|block_title", "Block Title|title", required=True),
        Input("identifier", "information", "Identifier|identifier|block_identifier", "Identifier|identifier", required=True),
        Input("is_active", "information", "Status|is_active|block_is_active", "", "select", SWITCH),
        Input("content", "information", "Content|content|block_content", "Content|content", "area"),
    ),
    ("Save Block", "Save"), ("The block has been saved.", "You saved the block."), "The block has been deleted.",
)  # fmt: skip
