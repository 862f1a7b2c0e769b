"""`skillshift serve --site magento`, asked by a real client: what the REST API writes, the admin's pages show."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
import requests

from skillshift_gym.sites.magento.seed import LOGIN, PASSWORD
from skillshift_gym.sites.magento.urls import url


@pytest.fixture(params=["v1", "v2"])
def served(request):
    """Runs the command on a free port and returns the version and its address."""
    command = [
        sys.executable,
        "-m",
        "skillshift_gym.cli",
        "serve",
        "--site",
        "magento",
        "--version",
        request.param,
        "--port",
        "0",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    line = next(line for line in process.stderr if "Running on" in line)
    yield request.param, re.search(r"http://[\d.:]+", line).group()
    process.kill()
    process.wait()
    process.stderr.close()


def test_the_pages_show_what_the_api_did(served):
    version, address = served
    with requests.Session() as client:
        client.trust_env = False
        token = client.post(
            f"{address}/rest/V1/integration/admin/token", json={"username": LOGIN, "password": PASSWORD}
        ).json()
        client.headers["Authorization"] = f"Bearer {token}"
        search = {
            "searchCriteria[filter_groups][0][filters][0][field]": "status",
            "searchCriteria[filter_groups][0][filters][0][value]": "pending",
            "searchCriteria[sortOrders][0][field]": "created_at",
            "searchCriteria[sortOrders][0][direction]": "DESC",
            "searchCriteria[pageSize]": 5,
            "searchCriteria[currentPage]": 2,
        }
        listed = client.get(f"{address}/rest/V1/orders", params=search).json()
        assert len(listed["items"]) == 5 and {o["status"] for o in listed["items"]} == {"pending"}
        order = listed["items"][0]
        assert client.post(f"{address}/rest/V1/orders/{order['entity_id']}/cancel").json() is True
        rule = {"name": "Served Rule", "website_ids": [1], "customer_group_ids": [0, 1, 2, 3], "is_active": True}
        rule |= {"simple_action": "by_percent", "discount_amount": 15, "coupon_type": "NO_COUPON"}
        assert client.post(f"{address}/rest/V1/salesRules", json={"rule": rule}).json()["name"] == "Served Rule"
    with requests.Session() as browser:  # the admin's own session, without a token
        browser.trust_env = False
        page = browser.get(address + url(version, "orders.view", id=order["entity_id"])).text
        assert order["increment_id"] in page and "Canceled" in page
        assert "Served Rule" in browser.get(address + url(version, "salesrules.grid")).text
