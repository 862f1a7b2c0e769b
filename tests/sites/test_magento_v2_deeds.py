"""What an administrator does in Magento 2.4, through the DOM browser and by semantic ids."""

from skillshift_gym.sites.magento.urls import url

ORIGIN = "https://magento.example"
VERSION = "v2"


def order(admin, status):
    return admin.value("SELECT entity_id FROM sales_order WHERE status = ? ORDER BY entity_id DESC", status)


def status(admin, key):
    return admin.value("SELECT status FROM sales_order WHERE entity_id = ?", key)


def found(admin, grid):
    return int(admin.text(f"grid.total{{{grid}}}").split()[0])


def test_a_flyout_opens_in_the_menu_and_only_one_at_a_time(admin):
    admin.click("nav.group{Reports}", "nav.group{Sales}")
    assert "nav.open{orders.grid}" in {admin.page.document.sids.get(int(e.bid)) for e in admin.page.interactive}
    assert "nav.open{reports.tax}" not in {admin.page.document.sids.get(int(e.bid)) for e in admin.page.interactive}
    assert admin.click("nav.open{orders.grid}").page.title == "Orders / Magento Admin"


def test_filters_stand_behind_a_button_and_leave_by_their_chips(admin):
    admin.goto("orders.grid").click("grid.filters_open{orders}").choose("grid.filter{orders.status}", "Complete")
    admin.fill("grid.filter{orders.created_at[from]}", "1/1/2024").click("grid.apply{orders}")
    count = admin.value("SELECT COUNT(*) FROM sales_order WHERE status = 'complete' AND created_at >= '2024'")
    assert found(admin, "orders") == count
    assert admin.shown("grid.chip{") == ["grid.chip{orders.created_at[from]}", "grid.chip{orders.status}"]
    admin.click("grid.sort{orders.created_at}", "grid.chip{orders.created_at[from]}")
    first = admin.row("SELECT * FROM sales_order WHERE status = 'complete' ORDER BY created_at")
    assert admin.shown("grid.open{orders.")[0] == f"grid.open{{orders.{first['entity_id']}}}"
    admin.choose("grid.limit{orders}", "50").click("grid.limit_apply{orders}", "grid.page{orders.2}")
    total = admin.value("SELECT COUNT(*) FROM sales_order WHERE status = 'complete'")
    assert len(admin.shown("grid.open{orders.")) == min(50, total - 50)
    admin.fill("grid.page_input{orders}", "1").act("press", "grid.page_input{orders}", "Enter")
    assert len(admin.shown("grid.open{orders.")) == 50 and "status=complete" in admin.page.url
    assert admin.click("grid.reset{orders}").page.url == ORIGIN + url("v2", "orders.grid")


def test_leaving_the_filters_asks_nothing_new(admin):
    admin.goto("products.grid", {"name": "fleece"}).click("grid.filters_open{products}")
    admin.fill("grid.filter{products.name}", "tent").click("grid.filters_cancel{products}")
    assert admin.page.url.endswith("?name=fleece")


def test_a_keyword_search_keeps_the_filters(admin):
    admin.goto("products.grid", {"status": "1", "page": "3"}).fill("grid.keyword{products}", "fleece")
    admin.click("grid.keyword_submit{products}")
    assert admin.page.url.endswith("?status=1&search=fleece")
    assert found(admin, "products") == admin.value(
        "SELECT COUNT(*) FROM catalog_product WHERE name LIKE '%fleece%' AND status = 1"
    )
    assert admin.click("grid.chip{products.search}").page.url.endswith("?status=1")


def test_orders_are_canceled_held_and_released(admin):
    pending = order(admin, "pending")
    admin.goto("orders.view", id=pending).click("order.deed{hold}")
    assert admin.message == ("success", "You put the order on hold.") and status(admin, pending) == "holded"
    admin.click("order.deed{unhold}")
    assert status(admin, pending) == "pending"
    admin.click("order.deed{cancel}")
    assert admin.message == ("success", "You canceled the order.") and status(admin, pending) == "canceled"
    assert not admin.shown("order.deed{cancel}")
    assert admin.click("order.deed{email}", "order.deed{reorder}").message[0] == "notice"


def test_an_order_is_invoiced_shipped_tracked_and_refunded(admin):
    key = order(admin, "pending")
    admin.goto("orders.view", id=key).click("order.deed{invoice}").fill_form("invoice", comment="paid").click(
        "order.submit{invoice}"
    )
    assert admin.message[0] == "success" and status(admin, key) == "processing"
    admin.click("order.deed{ship}").choose("order.track{1.carrier}", "Federal Express")
    admin.fill("order.track{1.title}", "FedEx").fill("order.track{1.number}", "F-1").click("order.submit{ship}")
    assert admin.message[0] == "success" and status(admin, key) == "complete"
    track = admin.row("SELECT * FROM sales_shipment_track WHERE order_id = ?", key)
    assert (track["carrier_code"], track["title"], track["track_number"]) == ("fedex", "FedEx", "F-1")
    admin.click("form.section{order.shipments}", f"grid.open{{shipments.{track['parent_id']}}}")
    admin.choose("order.track{carrier}", "DHL").fill("order.track{title}", "DHL").fill("order.track{number}", "D-2")
    assert admin.click("order.track_add").message == ("success", "You added the tracking number.")
    assert admin.value("SELECT COUNT(*) FROM sales_shipment_track WHERE order_id = ?", key) == 2
    admin.click("form.back{order}", "order.deed{creditmemo}", "order.submit{creditmemo}")
    assert admin.message == ("success", "You created the credit memo.") and status(admin, key) == "closed"


def test_comments_and_addresses_of_an_order(admin):
    key = order(admin, "complete")
    admin.goto("orders.view", id=key).fill("order.comment{text}", "Left at the door").click(
        "order.comment{notify}", "order.comment_submit"
    )
    note = admin.row("SELECT * FROM sales_order_status_history WHERE parent_id = ? ORDER BY entity_id DESC", key)
    assert (note["comment"], note["is_customer_notified"], note["is_visible_on_front"]) == ("Left at the door", 1, 0)
    assert "Left at the door" in admin.page.axtree
    admin.click("order.address{shipping}").fill_form("order_address", street="1 New Road").click(
        "form.save{order_address}"
    )
    assert admin.message == ("success", "You updated the order address.")
    assert "1 New Road" in admin.text(f"order.value{{{key}.shipping_address}}")
    assert "1 New Road" not in admin.text(f"order.value{{{key}.billing_address}}")


def test_orders_are_held_by_the_grid(admin):
    admin.goto("orders.grid", {"status": "pending"})
    keys = [int(s[19:-1]) for s in admin.shown("grid.select{orders.")][:2]
    admin.click(
        *(f"grid.select{{orders.{key}}}" for key in keys),
        "grid.mass_open{orders}",
        "grid.mass_submit{orders.hold_order}",
    )
    assert admin.message == ("success", "You have put 2 order(s) on hold.")
    assert [status(admin, key) for key in keys] == ["holded", "holded"]
    assert admin.click("grid.mass_open{orders}", "grid.mass_submit{orders.hold_order}").message == (
        "error",
        "Please select items.",
    )


def test_a_product_is_created_and_edited(admin):
    admin.goto("products.grid").click("grid.add{products}").choose("field{product.set}", "Gear").click(
        "form.next{product}"
    )
    admin.fill_form("product", name="Test Mug", sku="TM-1", price="12.50", qty="7")
    admin.click(
        "form.section{product.categories}", "category.box{4}", "form.save_menu{product}", "form.continue{product}"
    )
    assert admin.message == ("success", "You saved the product.")
    row = admin.row(
        "SELECT p.*, t.qty FROM catalog_product p JOIN cataloginventory_stock_item t ON t.product_id = p.entity_id WHERE sku = 'TM-1'"
    )
    assert (row["name"], row["price"], row["attribute_set"], row["type_id"], row["qty"], row["status"]) == (
        "Test Mug",
        1250,
        "Gear",
        "simple",
        7,
        1,
    )
    assert admin.value("SELECT category_id FROM catalog_category_product WHERE product_id = ?", row["entity_id"]) == 4
    admin.click("field{product.status}", "form.section{product.attributes}").choose(
        "field{product.color}", "Moss"
    ).click("form.save{product}")
    assert admin.page.url == ORIGIN + url("v2", "products.grid")
    assert tuple(admin.row("SELECT status, color FROM catalog_product WHERE sku = 'TM-1'")) == (2, "Moss")
    admin.click(f"grid.open{{products.{row['entity_id']}}}").fill_form("product", name="").click("form.save{product}")
    assert admin.message == ("error", '"Product Name" is a required value.')
    assert admin.click("form.delete{product}").value("SELECT 1 FROM catalog_product WHERE sku = 'TM-1'") is None


def test_saving_a_product_untouched_changes_nothing(admin):
    for kind in ("simple", "configurable"):
        key = admin.value("SELECT entity_id FROM catalog_product WHERE type_id = ? AND parent_id IS NULL", kind)
        admin.goto("products.edit", id=key).click("form.save{product}")
        assert admin.message[0] == "success" and admin.site.changes() == ()


def test_products_change_status_and_price_together(admin):
    of = "FROM catalog_product WHERE sku LIKE '%W01A%'"
    disabled = "SELECT COUNT(*) FROM catalog_product WHERE status = 2"
    before, count = admin.value(disabled), admin.value(f"SELECT COUNT(*) {of}")
    admin.goto("products.grid", {"sku": "W01A"}).click("grid.select_every{products}", "grid.mass_open{products}")
    admin.choose("grid.mass_value{products.status}", "Disabled").click("grid.mass_submit{products.status}")
    assert admin.value(f"SELECT MIN(status) {of}") == 2 and admin.value(disabled) == before + count
    admin.goto("products.grid", {"sku": "W01A"}).click("grid.select_all{products}", "grid.mass_open{products}")
    admin.click("grid.mass_submit{products.attributes}", "many.change{price}", "many.change{status}").fill_form(
        "product", price="33"
    )
    admin.choose("field{product.status}", "Enabled").click("form.save{product}")
    assert admin.message == ("success", f"A total of {count} record(s) were updated.")
    assert admin.value(f"SELECT COUNT(*) {of} AND price = 3300 AND status = 1") == count == 16


def test_one_tick_adds_a_colour_to_a_configurable_product(admin):
    key = admin.value("SELECT entity_id FROM catalog_product WHERE type_id = 'configurable'")
    sql = "SELECT color, size FROM catalog_product WHERE parent_id = ?"
    before = {tuple(row) for row in admin.site.state.db.execute(sql, (key,))}
    admin.goto("products.edit", id=key).click("form.section{product.variants}")
    color = next(s[14:-1] for s in admin.shown("variant.color{") if s[14:-1] not in {c for c, _ in before})
    admin.click(f"variant.color{{{color}}}").fill("variant.quantity", "5").click("variant.create")
    assert admin.message == ("success", "You saved the product.")
    assert {tuple(row) for row in admin.site.state.db.execute(sql, (key,))} - before == {(color, s) for _, s in before}


def test_reviews_are_approved_one_by_one_and_together(admin):
    pending = admin.value("SELECT COUNT(*) FROM review WHERE status_id = 2")
    others = admin.value("SELECT COUNT(*) FROM review WHERE status_id = 3")
    admin.goto("reviews.pending")
    key = admin.shown("grid.open{reviews.")[0][18:-1]
    admin.click(f"grid.open{{reviews.{key}}}").choose("field{review.status_id}", "Approved").click("form.save{review}")
    assert admin.value("SELECT status_id FROM review WHERE review_id = ?", key) == 1
    admin.goto("reviews.pending").click("grid.select_every{reviews}", "grid.mass_open{reviews}")
    admin.choose("grid.mass_value{reviews.update_status}", "Approved").click("grid.mass_submit{reviews.update_status}")
    assert admin.message == ("success", f"A total of {pending - 1} record(s) have been updated.")
    assert admin.value("SELECT COUNT(*) FROM review WHERE status_id = 3") == others


def test_a_rule_with_several_groups_is_created(admin):
    admin.goto("salesrules.grid").click("grid.add{salesrules}").fill_form(
        "salesrule", name="June", from_date="6/1/2024"
    )
    admin.choose("field{salesrule.customer_group_ids}", "General", "Wholesale").click("field{salesrule.is_active}")
    admin.click("form.section{salesrule.actions}").fill_form("salesrule", discount_amount="10").click(
        "form.save{salesrule}"
    )
    rule = admin.row("SELECT * FROM salesrule WHERE name = 'June'")
    assert admin.message == ("success", "You saved the rule.")
    assert (rule["customer_group_ids"], rule["website_ids"], rule["from_date"], rule["discount_amount"]) == (
        "1,2",
        "1",
        "2024-06-01",
        1000,
    )
    assert rule["is_active"] == 0


def test_a_page_a_search_term_and_a_group_are_edited(admin):
    admin.goto("pages.edit", id=1).fill_form("page", title="Welcome").click("form.save{page}")
    admin.goto("searchterms.edit", id=1).fill_form("searchterm", redirect="/sale").click("form.save{searchterm}")
    admin.goto("groups.grid").click("grid.add{groups}").fill_form("group", customer_group_code="Guides").click(
        "form.save{group}"
    )
    changed = {(c.table, c.operation, c.key) for c in admin.site.changes()}
    assert {("cms_page", "update", 1), ("search_query", "update", 1)} < changed and len(changed) == 3
    assert admin.value("SELECT 1 FROM customer_group WHERE customer_group_code = 'Guides'")


def test_a_customer_and_an_address_are_edited(admin):
    admin.goto("customers.edit", id=5).choose("field{customer.group_id}", "Wholesale").click("form.continue{customer}")
    assert admin.value("SELECT group_id FROM customer_entity WHERE entity_id = 5") == 2
    key = admin.value("SELECT entity_id FROM customer_address WHERE parent_id = 5")
    admin.click("form.section{customer.addresses}", f"customer.address{{{key}}}").fill_form(
        "address", city="Elsewhere"
    ).click("form.save{address}")
    assert admin.value("SELECT city FROM customer_address WHERE entity_id = ?", key) == "Elsewhere"
    admin.click("customer.address_add").fill_form("address", street="2 High Street", city="Fernmoor", telephone="555")
    admin.click("field{address.default_billing}", "form.save{address}")
    assert admin.value("SELECT COUNT(*) FROM customer_address WHERE parent_id = 5") == 2
    assert admin.value("SELECT COUNT(*) FROM customer_address WHERE parent_id = 5 AND default_billing = 1") == 1


def test_a_category_is_added_below_another(admin):
    admin.goto("categories.grid").click("category.open{4}", "category.add{4}").fill_form(
        "category", name="Scarves"
    ).click("form.save{category}")
    row = admin.row("SELECT * FROM catalog_category WHERE name = 'Scarves'")
    assert (row["parent_id"], row["is_active"]) == (4, 1) and admin.message == ("success", "You saved the category.")
    assert admin.click("form.delete{category}").value("SELECT 1 FROM catalog_category WHERE name = 'Scarves'") is None


def test_the_configuration_is_saved(admin):
    admin.goto("config.edit", section="general").click("config.section{sales}")
    admin.choose("config.field{sales/minimum_order/active}", "Yes").click("config.save")
    assert admin.message == ("success", "You saved the configuration.")
    assert admin.value("SELECT value FROM core_config_data WHERE path = 'sales/minimum_order/active'") == "1"


def test_subscribers_are_unsubscribed(admin):
    admin.goto("subscribers.grid").click(
        "grid.select_all{subscribers}", "grid.mass_open{subscribers}", "grid.mass_submit{subscribers.unsubscribe}"
    )
    assert admin.message == ("success", "A total of 20 record(s) were updated.")


def test_a_report_is_shown(admin):
    admin.goto("reports.sales").choose("report.field{period}", "Month").fill("report.field{from}", "1/1/2024").fill(
        "report.field{to}", "3/31/2024"
    )
    admin.choose("report.field{show_statuses}", "Specified").choose(
        "report.field{statuses}", "Complete", "Closed"
    ).click("report.show{sales}")
    count = admin.value(
        "SELECT COUNT(*) FROM sales_order WHERE status IN ('complete', 'closed') AND created_at BETWEEN '2024-01' AND '2024-04'"
    )
    assert admin.text("report.row{sales.0}").startswith("1/2024") and admin.shown("report.row{sales.2}")
    (total,) = admin.page.document.indices_by_sid["report.total{sales}"]
    assert [admin.page.document.text(e.index) for e in admin.page.document.child_elements(total)][:2] == [
        "Total",
        str(count),
    ]


def test_signing_out_and_in_again(admin):
    admin.click("session.menu", "session.out")
    assert admin.page.title == "Magento Admin"
    admin.goto("orders.grid").fill("session.username", "admin").fill("session.password", "wrong").click("session.in")
    assert admin.message[0] == "error"
    admin.fill("session.username", "admin").fill("session.password", "admin1234").click("session.in")
    assert admin.page.title == "Dashboard / Magento Admin" and admin.site.changes() == ()
