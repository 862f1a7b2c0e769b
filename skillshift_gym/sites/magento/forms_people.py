"""Forms of customers, addresses, groups, categories and search terms."""

from __future__ import annotations

from .forms import YES_NO, Form, Input
from .grids import groups

CUSTOMER = Form(
    "customer",
    {"account": ("Account Information", "Account Information")},
    (
        Input("group_id", "account", "Customer Group|account[group_id]|_accountgroup_id", "Group|customer[group_id]", "select", groups),
        Input("firstname", "account", "First Name|account[firstname]|_accountfirstname", "First Name|customer[firstname]", required=True),
        Input("lastname", "account", "Last Name|account[lastname]|_accountlastname", "Last Name|customer[lastname]", required=True),
        Input("email", "account", "Email|account[email]|_accountemail", "Email|customer[email]", required=True),
        Input("dob", "account", "Date Of Birth|account[dob]|_accountdob", "Date of Birth|customer[dob]", "date"),
        Input("gender", "account", "Gender|account[gender]|_accountgender", "Gender|customer[gender]", "select", {0: "", 1: "Male", 2: "Female"}),
    ),
    ("Save Customer", "Save Customer"), ("The customer has been saved.", "You saved the customer."), "The customer has been deleted.",
)  # fmt: skip


def _address(entity: str, saved: tuple[str, str], name: str, extra: tuple[Input, ...] = ()) -> Form:
    fields = {
        "firstname": "First Name", "lastname": "Last Name", "company": "Company", "street": "Street Address", "city": "City",
        "region": "State/Province", "postcode": "Zip/Postal Code", "telephone": "Telephone",
    }  # fmt: skip
    v2 = {"telephone": "Phone Number"}
    required = ("firstname", "lastname", "street", "city", "telephone")
    inputs = tuple(
        Input(
            key,
            "address",
            f"{label}|{name.format(key)}|{key}",
            f"{v2.get(key, label)}|{name.format(key)}|{key}",
            required=key in required,
        )
        for key, label in fields.items()
    )
    country = Input("country_id", "address", f"Country|{name.format('country_id')}|country_id", f"Country|{name.format('country_id')}|country_id", "select", {"US": "United States", "CA": "Canada", "GB": "United Kingdom", "DE": "Germany"}, numeric=False)  # fmt: skip
    return Form(
        entity, {"address": ("Address Information", "Address Information")}, (*inputs, country, *extra),
        ("Save Address" if entity == "address" else "Save Order Address", "Save" if entity == "address" else "Save Order Address"), saved,
        "The address has been deleted.",
    )  # fmt: skip


ORDER_ADDRESS = _address(
    "order_address", ("The order address has been updated.", "You updated the order address."), "{0}"
)
ADDRESS = _address(
    "address", ("The customer has been saved.", "Customer address has been updated."), "{0}",
    (
        Input("default_billing", "address", "Default Billing Address|default_billing", "Default Billing Address|default_billing", "switch", YES_NO),
        Input("default_shipping", "address", "Default Shipping Address|default_shipping", "Default Shipping Address|default_shipping", "switch", YES_NO),
    ),
)  # fmt: skip

CATEGORY = Form(
    "category",
    {"general": ("General Information", "General"), "content": ("Content", "Content")},
    (
        Input("is_active", "general", "Is Active|general[is_active]|group_4is_active", "", "select", YES_NO),
        Input("is_active", "general", "", "Enable Category|is_active", "switch", YES_NO),
        Input("include_in_menu", "general", "Include in Navigation Menu|general[include_in_menu]|group_4include_in_menu", "", "select", YES_NO),
        Input("include_in_menu", "general", "", "Include in Menu|include_in_menu", "switch", YES_NO),
        Input("name", "general", "Name|general[name]|group_4name", "Category Name|name", required=True),
        Input("url_key", "general", "URL Key|general[url_key]|group_4url_key", "URL Key|url_key"),
        Input("description", "content", "Description|general[description]|group_4description", "Description|description", "area"),
    ),
    ("Save Category", "Save"), ("The category has been saved.", "You saved the category."), "The category has been deleted.",
)  # fmt: skip

GROUP = Form(
    "group",
    {"information": ("Group Information", "Group Information")},
    (
        Input("customer_group_code", "information", "Group Name|code|customer_group_code", "Group Name|code|customer_group_code", required=True),
        Input("tax_class_id", "information", "Tax Class|tax_class|tax_class_id", "Tax Class|tax_class|tax_class_id", "select", {3: "Retail Customer"}),
    ),
    ("Save Customer Group", "Save Customer Group"), ("The customer group has been saved.", "You saved the customer group."), "The customer group has been deleted.",
)  # fmt: skip

SEARCH_TERM = Form(
    "searchterm",
    {"information": ("General Information", "General Information")},
    (
        Input("query_text", "information", "Search Query|query_text", "Search Query|query_text", required=True),
        Input("num_results", "information", "Number of Results|num_results", "Number of results|num_results", "number"),
        Input("popularity", "information", "Number of Uses|popularity", "Number of Uses|popularity", "number"),
        Input("redirect", "information", "Redirect URL|redirect", "Redirect URL|redirect"),
        Input("display_in_terms", "information", "Display in Suggested Terms|display_in_terms", "Display in Suggested Terms|display_in_terms", "select", {1: "Yes", 0: "No"}),
    ),
    ("Save Search", "Save Search"), ("You saved the search term.", "You saved the search term."), "The search was deleted.",
)  # fmt: skip
