"""What an administrator does in Magento 1.9, through the DOM browser and by semantic ids."""

from skillshift_gym.sites.magento.urls import url

ORIGIN = "https://magento.example"
VERSION = "v1"


def address(endpoint, query=None, **values):
    return url(VERSION, endpoint, query, **values)


def order(admin, status, paid=None):
    condition = "" if paid is None else f" AND (total_paid > 0) = {int(paid)}"
    return admin.row(f"SELECT * FROM sales_order WHERE status = ?{condition} ORDER BY entity_id DESC", status)[
        "entity_id"
    ]


def status(admin, key):
    return admin.row("SELECT status FROM sales_order WHERE entity_id = ?", key)[0]


def test_the_menu_opens_group_by_group(admin):
    admin.click("nav.group{Reports}", "nav.group{Reports/Sales}", "nav.open{reports.refunded}")
    assert admin.page.title == "Total Refunded Report / Magento Admin"


def test_a_grid_filters_sorts_and_pages(admin):
    admin.goto("orders.grid").choose("grid.filter{orders.status}", "Complete").click("grid.apply{orders}")
    total = admin.row("SELECT COUNT(*) FROM sales_order WHERE status = 'complete'")[0]
    assert admin.text("grid.total{orders}") == f"Total {total} records found"
    admin.click("grid.sort{orders.created_at}")
    first = admin.row("SELECT * FROM sales_order WHERE status = 'complete' ORDER BY created_at")
    assert admin.find(f"grid.open{{orders.{first['entity_id']}}}")
    admin.fill("grid.page_input{orders}", "2").act("press", "grid.page_input{orders}", "Enter")
    assert "status=complete" in admin.page.url and "page=2" in admin.page.url
    admin.choose("grid.limit{orders}", "50").fill("grid.page_input{orders}", "1")
    admin.click("grid.limit_apply{orders}", "grid.page{orders.2}")
    shown = [s for s in admin.page.document.indices_by_sid if s.startswith("grid.open")]
    assert len(shown) == min(50, total - 50)
    admin.click("grid.reset{orders}")
    assert admin.page.url == ORIGIN + address("orders.grid")


def test_a_range_and_a_text_filter(admin):
    admin.goto("products.grid").fill("grid.filter{products.price[from]}", "100").fill(
        "grid.filter{products.price[to]}", "120"
    )
    admin.fill("grid.filter{products.name}", "jacket").act("press", "grid.filter{products.name}", "Enter")
    count = admin.row(
        "SELECT COUNT(*) FROM catalog_product WHERE price BETWEEN 10000 AND 12000 AND name LIKE '%jacket%'"
    )[0]
    assert admin.text("grid.total{products}") == f"Total {count} records found"


def test_orders_are_canceled_held_and_released(admin):
    pending = order(admin, "pending")
    admin.goto("orders.view", id=pending).click("order.deed{hold}")
    assert admin.message == ("success", "The order has been put on hold.") and status(admin, pending) == "holded"
    admin.click("order.deed{unhold}")
    assert status(admin, pending) == "pending"
    admin.click("order.deed{cancel}")
    assert admin.message == ("success", "The order has been cancelled.") and status(admin, pending) == "canceled"
    assert not admin.find("order.deed{cancel}")
    admin.click("order.deed{email}", "order.deed{reorder}")
    assert admin.message[0] == "notice"


def test_an_order_is_invoiced_shipped_tracked_and_refunded(admin):
    key = order(admin, "pending")
    admin.goto("orders.view", id=key).click("order.deed{invoice}").fill("field{invoice.comment}", "paid").click(
        "order.submit{invoice}"
    )
    assert admin.message == ("success", "The invoice has been created.") and status(admin, key) == "processing"
    admin.click("order.deed{ship}").choose("order.track{1.carrier}", "Federal Express").fill(
        "order.track{1.title}", "FedEx"
    )
    admin.fill("order.track{1.number}", "F-1").click("order.submit{ship}")
    assert admin.message == ("success", "The shipment has been created.") and status(admin, key) == "complete"
    track = admin.row("SELECT * FROM sales_shipment_track WHERE order_id = ?", key)
    assert (track["carrier_code"], track["title"], track["track_number"]) == ("fedex", "FedEx", "F-1")
    shipment = track["parent_id"]
    admin.click("form.section{order.shipments}", f"grid.open{{shipments.{shipment}}}")
    admin.choose("order.track{carrier}", "DHL").fill("order.track{title}", "DHL").fill(
        "order.track{number}", "D-2"
    ).click("order.track_add")
    assert admin.message[0] == "success"
    assert admin.row("SELECT COUNT(*) FROM sales_shipment_track WHERE parent_id = ?", shipment)[0] == 2
    admin.goto("orders.view", id=key).click("order.deed{creditmemo}", "order.submit{creditmemo}")
    assert status(admin, key) == "closed"


def test_comments_and_addresses_of_an_order(admin):
    key = order(admin, "complete")
    admin.goto("orders.view", id=key).fill("order.comment{text}", "Left at the door")
    admin.act("check", "order.comment{notify}").click("order.comment_submit")
    note = admin.row("SELECT * FROM sales_order_status_history WHERE parent_id = ? ORDER BY entity_id DESC", key)
    assert (note["comment"], note["is_customer_notified"], note["is_visible_on_front"], note["status"]) == (
        "Left at the door",
        1,
        0,
        "complete",
    )
    admin.click("order.address{shipping}").fill("field{order_address.street}", "1 New Road").click(
        "form.save{order_address}"
    )
    assert admin.message == ("success", "The order address has been updated.")
    assert "1 New Road" in admin.text(f"order.value{{{key}.shipping_address}}")
    assert "1 New Road" not in admin.text(f"order.value{{{key}.billing_address}}")


def test_orders_are_held_by_the_grid(admin):
    keys = [r[0] for r in admin.site.state.db.execute("SELECT entity_id FROM sales_order WHERE status = 'pending'")][:2]
    admin.goto("orders.grid", {"status": "pending", "limit": 200})
    for key in keys:
        admin.act("check", f"grid.select{{orders.{key}}}")
    admin.choose("grid.mass{orders}", "Hold").click("grid.mass_submit{orders}")
    assert admin.message == ("success", "You have put 2 order(s) on hold.")
    assert [status(admin, key) for key in keys] == ["holded", "holded"]
    admin.choose("grid.mass{orders}", "Hold").click("grid.mass_submit{orders}")
    assert admin.message[0] == "error"


def test_a_product_is_created_and_edited(admin):
    admin.goto("products.grid").click("grid.add{products}").choose("field{product.set}", "Gear").click(
        "form.next{product}"
    )
    admin.fill("field{product.name}", "Test Mug").fill("field{product.sku}", "TM-1").click(
        "form.section{product.prices}"
    )
    admin.fill("field{product.price}", "12.50").click("form.section{product.inventory}").fill("field{product.qty}", "7")
    admin.click("form.section{product.categories}").act("check", "category.box{4}").click("form.continue{product}")
    assert admin.message == ("success", "The product has been saved.")
    product = admin.row("SELECT * FROM catalog_product WHERE sku = 'TM-1'")
    assert (product["name"], product["price"], product["attribute_set"], product["type_id"]) == (
        "Test Mug",
        1250,
        "Gear",
        "simple",
    )
    assert admin.row("SELECT qty FROM cataloginventory_stock_item WHERE product_id = ?", product["entity_id"])[0] == 7
    assert (
        admin.row("SELECT category_id FROM catalog_category_product WHERE product_id = ?", product["entity_id"])[0] == 4
    )
    admin.choose("field{product.status}", "Disabled").click("form.save{product}")
    assert admin.page.url == ORIGIN + address("products.grid")
    assert admin.row("SELECT status FROM catalog_product WHERE sku = 'TM-1'")[0] == 2
    admin.click(f"grid.open{{products.{product['entity_id']}}}").fill("field{product.name}", "").click(
        "form.save{product}"
    )
    assert admin.message == ("error", '"Name" is a required value.')
    admin.click("form.delete{product}")
    assert admin.row("SELECT * FROM catalog_product WHERE sku = 'TM-1'") is None


def test_products_change_status_and_price_together(admin):
    others = "SELECT COUNT(*) FROM catalog_product WHERE sku NOT LIKE '%W01A%' AND status = 2"
    before = admin.row(others)[0]
    admin.goto("products.grid", {"sku": "W01A"}).click("grid.select_every{products}")
    admin.choose("grid.mass{products}", "Change status").choose("grid.mass_value{products.status}", "Disabled").click(
        "grid.mass_submit{products}"
    )
    assert admin.row("SELECT COUNT(*), MIN(status) FROM catalog_product WHERE sku LIKE '%W01A%'")[1] == 2
    assert admin.row(others)[0] == before
    admin.goto("products.grid", {"sku": "W01A"}).click("grid.select_all{products}").choose(
        "grid.mass{products}", "Update Attributes"
    )
    admin.click("grid.mass_submit{products}", "form.section{product.prices}", "many.change{price}")
    admin.fill("field{product.price}", "33").click("form.save{product}")
    count = admin.row("SELECT COUNT(*) FROM catalog_product WHERE sku LIKE '%W01A%'")[0]
    assert admin.message == ("success", f"A total of {min(20, count)} record(s) were updated.")
    assert admin.row("SELECT COUNT(*) FROM catalog_product WHERE price = 3300 AND sku LIKE '%W01A%'")[0] == min(
        20, count
    )


def test_one_tick_adds_a_colour_to_a_configurable_product(admin):
    key = admin.row("SELECT entity_id FROM catalog_product WHERE type_id = 'configurable'")[0]

    def variants():
        found = admin.site.state.db.execute("SELECT color, size FROM catalog_product WHERE parent_id = ?", (key,))
        return {tuple(row) for row in found}

    before = variants()
    admin.goto("products.edit", id=key).click("form.section{product.variants}")
    offered = [s for s in admin.page.document.indices_by_sid if s.startswith("variant.color{")]
    color = next(s[14:-1] for s in offered if s[14:-1] not in {c for c, _ in before})
    admin.click(f"variant.color{{{color}}}").fill("variant.quantity", "5").click("variant.create")
    assert admin.message[0] == "success"
    assert variants() - before == {(color, size) for _, size in before}


def test_reviews_are_approved_one_by_one_and_together(admin):
    pending = [
        r[0] for r in admin.site.state.db.execute("SELECT review_id FROM review WHERE status_id = 2 ORDER BY 1 DESC")
    ]
    others = admin.row("SELECT COUNT(*) FROM review WHERE status_id = 3")[0]
    admin.goto("reviews.pending").click(f"grid.open{{reviews.{pending[0]}}}").choose(
        "field{review.status_id}", "Approved"
    ).click("form.save{review}")
    assert admin.row("SELECT status_id FROM review WHERE review_id = ?", pending[0])[0] == 1
    admin.goto("reviews.pending").click("grid.select_every{reviews}").choose("grid.mass{reviews}", "Update Status")
    admin.choose("grid.mass_value{reviews.update_status}", "Approved").click("grid.mass_submit{reviews}")
    assert admin.message == ("success", f"A total of {len(pending) - 1} record(s) have been updated.")
    assert admin.row("SELECT COUNT(*) FROM review WHERE status_id = 3")[0] == others


def test_a_rule_with_several_groups_is_created(admin):
    admin.goto("salesrules.grid").click("grid.add{salesrules}").fill("field{salesrule.name}", "June").choose(
        "field{salesrule.website_ids}", "Main Website"
    )
    admin.choose("field{salesrule.customer_group_ids}", "General", "Wholesale").fill(
        "field{salesrule.from_date}", "6/1/2024"
    )
    admin.click("form.section{salesrule.actions}").fill("field{salesrule.discount_amount}", "10").click(
        "form.save{salesrule}"
    )
    rule = admin.row("SELECT * FROM salesrule WHERE name = 'June'")
    assert admin.message == ("success", "The rule has been saved.")
    assert (rule["customer_group_ids"], rule["from_date"], rule["discount_amount"]) == ("1,2", "2024-06-01", 1000)


def test_a_page_a_search_term_and_a_group_are_edited(admin):
    admin.goto("pages.edit", id=1).fill("field{page.title}", "Welcome").click("form.save{page}")
    assert admin.row("SELECT title FROM cms_page WHERE page_id = 1")[0] == "Welcome"
    admin.goto("searchterms.edit", id=1).fill("field{searchterm.redirect}", "/sale").click("form.save{searchterm}")
    assert admin.row("SELECT redirect FROM search_query WHERE query_id = 1")[0] == "/sale"
    admin.goto("groups.grid").click("grid.add{groups}").fill("field{group.customer_group_code}", "Guides").click(
        "form.save{group}"
    )
    assert admin.row("SELECT 1 FROM customer_group WHERE customer_group_code = 'Guides'")


def test_a_customer_and_an_address_are_edited(admin):
    admin.goto("customers.edit", id=5).choose("field{customer.group_id}", "Wholesale").click("form.continue{customer}")
    assert admin.row("SELECT group_id FROM customer_entity WHERE entity_id = 5")[0] == 2
    key = admin.row("SELECT entity_id FROM customer_address WHERE parent_id = 5")[0]
    admin.click("form.section{customer.addresses}", f"customer.address{{{key}}}").fill(
        "field{address.city}", "Elsewhere"
    ).click("form.save{address}")
    assert admin.row("SELECT city FROM customer_address WHERE entity_id = ?", key)[0] == "Elsewhere"
    admin.click("form.section{customer.addresses}", "customer.address_add").fill(
        "field{address.street}", "2 High Street"
    )
    admin.fill("field{address.city}", "Fernmoor").fill("field{address.telephone}", "555").click(
        "field{address.default_billing}", "form.save{address}"
    )
    assert admin.row("SELECT COUNT(*) FROM customer_address WHERE parent_id = 5 AND default_billing = 1")[0] == 1


def test_a_category_is_added_below_another(admin):
    admin.goto("categories.grid").click("category.open{4}", "category.add{4}").fill(
        "field{category.name}", "Scarves"
    ).click("form.save{category}")
    row = admin.row("SELECT * FROM catalog_category WHERE name = 'Scarves'")
    assert row["parent_id"] == 4 and admin.message == ("success", "The category has been saved.")
    admin.click("form.delete{category}")
    assert admin.row("SELECT 1 FROM catalog_category WHERE name = 'Scarves'") is None


def test_the_configuration_is_saved(admin):
    admin.goto("config.edit", section="general").click("config.section{sales}").choose(
        "config.field{sales/minimum_order/active}", "Yes"
    )
    admin.click("config.save")
    assert admin.message == ("success", "The configuration has been saved.")
    assert admin.row("SELECT value FROM core_config_data WHERE path = 'sales/minimum_order/active'")[0] == "1"


def test_subscribers_are_unsubscribed(admin):
    admin.goto("subscribers.grid").click("grid.select_all{subscribers}").choose("grid.mass{subscribers}", "Unsubscribe")
    admin.click("grid.mass_submit{subscribers}")
    assert admin.message == ("success", "A total of 20 record(s) were updated.")


def test_a_report_is_shown(admin):
    admin.goto("reports.sales").choose("report.field{period}", "Month").fill("report.field{from}", "1/1/2024").fill(
        "report.field{to}", "3/31/2024"
    )
    admin.choose("report.field{show_statuses}", "Specified").choose(
        "report.field{statuses}", "Complete", "Closed"
    ).click("report.show{sales}")
    count = admin.row(
        "SELECT COUNT(*) FROM sales_order WHERE status IN ('complete', 'closed') AND created_at BETWEEN '2024-01' AND '2024-04'"
    )[0]
    assert admin.text("report.row{sales.0}").startswith("1/2024")
    (total,) = admin.find("report.total{sales}")
    cells = [admin.page.document.text(e.index) for e in admin.page.document.child_elements(total)]
    assert cells[:2] == ["Total", str(count)]
    assert admin.page.document.indices_by_sid["report.row{sales.2}"]


def test_signing_out_and_in_again(admin):
    admin.click("session.out")
    assert admin.page.title == "Log into Magento Admin Page"
    admin.goto("orders.grid").fill("session.username", "admin").fill("session.password", "wrong").click("session.in")
    assert admin.message == ("error", "Invalid User Name or Password.")
    admin.fill("session.username", "admin").fill("session.password", "admin1234").click("session.in")
    assert admin.page.title == "Dashboard / Magento Admin"


def test_a_foreign_key_leads_to_the_dashboard(admin):
    admin.browser.goto(ORIGIN + address("orders.grid").replace("/key/", "/key/0"))
    assert admin.page.url == ORIGIN + address("dashboard")
    assert admin.message == ("error", "Invalid Secret Key. Please refresh the page.")
    assert admin.goto("dashboard").message is None
