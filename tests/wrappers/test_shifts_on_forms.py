"""Shifts on the shop's forms: nothing typed is lost, labels stay bound, a blocked submit is not sent."""

from __future__ import annotations

import gymnasium
import pytest

from skillshift_gym.registration import make_cell
from skillshift_gym.tasks.magento.steps import text_of, value_of

PRICE = "magento.57"  # starts at a product's form
CASES = [(b, c) for c in ("src-exec", "tgt-exec") for b in ("dom", "chromium")]


def element(env, sid):
    """Returns the element that carries a semantic id."""
    page = env.unwrapped.page
    return page.element(page.document.indices_by_sid[sid][0])


def open_prices(env):
    """Opens the tab that the price stands in, where there is one."""
    if env.unwrapped.version == "v1":
        env.step(f"click('{element(env, 'form.section{product.prices}').bid}')")


@pytest.mark.parametrize(("browser", "condition"), CASES)
def test_what_was_typed_survives_a_blocker_and_a_blocked_save_is_not_sent(browser, condition):
    opened = 1 if condition == "src-exec" else 0
    env = make_cell("magento", condition, {"schedule": f"once@{opened + 1}", "way": "close"}, browser=browser)
    env.reset(seed=0, options={"task": PRICE})
    open_prices(env)
    env.step(f"fill('{element(env, 'field{product.price}').bid}', '123.45')")
    assert env.unwrapped.clearing(), "the blocker is there after the price was typed"
    before = env.unwrapped.site.revision
    *_, info = env.step(f"click('{element(env, 'form.save{product}').bid}')")
    assert info["error"] == "covered" and info["blocked_by"]
    assert env.unwrapped.site.revision == before and env.unwrapped.site.changes() == ()
    *_, info = env.step(env.unwrapped.clearing())
    assert info["error"] == "" and info["shifts"]["execution"]["dismissed"] == 1
    assert value_of(env.unwrapped.page, "field{product.price}") == "123.45"
    assert element(env, "field{product.price}").visible  # the tab is still open
    *_, info = env.step(f"click('{element(env, 'form.save{product}').bid}')")
    assert info["error"] == ""
    changes = env.unwrapped.site.changes()
    assert [(c.table, c.operation, c.after) for c in changes] == [("catalog_product", "update", {"price": 12345})]
    assert "saved" in text_of(env.unwrapped.page, "message{success}")
    env.close()


@pytest.mark.parametrize("condition", ["src-perc", "tgt-perc"])
def test_labels_stay_bound_and_a_shifted_form_sends_the_same(condition):
    plain = gymnasium.make(f"SkillShift/Magento-{'Src' if condition == 'src-perc' else 'Tgt'}-v0")
    shifted = make_cell("magento", condition)
    for env in (plain, shifted):
        env.reset(seed=0, options={"task": "magento.79"})
        env.step(f"click('{element(env, 'order.address{shipping}').bid}')")
    names = [[(e.role, e.name) for e in env.unwrapped.page.interactive] for env in (plain, shifted)]
    assert sorted(names[0]) == sorted(names[1])
    changes = []
    for env in (plain, shifted):
        env.step(f"fill('{element(env, 'field{order_address.city}').bid}', 'Osprey Bay')")
        env.step(f"click('{element(env, 'form.save{order_address}').bid}')")
        changes.append(env.unwrapped.site.changes())
        env.close()
    assert changes[0] == changes[1] and changes[0][0].after == {"city": "Osprey Bay"}
