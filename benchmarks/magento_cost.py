"""What a step costs in the shop's back office: `python benchmarks/magento_cost.py`.

Prints milliseconds of cold, warm and typing steps on the order grid with 200 rows and on a product's form, in both
versions, with the full observation, beside the floor of parsing the same page with lxml in the same run. The budget
of a page is that of `step_cost.py` for 200 and 2,000 elements, by its number of elements.
"""

from __future__ import annotations

import time
from itertools import product
from typing import cast

import gymnasium
from lxml import etree
from step_cost import iter_call, median

from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.registration import env_id
from skillshift_gym.sites.cache import RESPONSES
from skillshift_gym.sites.magento.urls import url
from skillshift_gym.sites.protocol import Request

PAGES = {
    "order grid, 200 rows": ("orders.grid", {}),
    "product form": ("products.edit", {"id": 1}),
    "order": ("orders.view", {"id": 330}),
}


def main() -> None:
    """Prints all rows."""
    print("| page | version | elements | lxml floor | render | cold step | budget | warm step | budget | typing step |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (name, (endpoint, values)), condition in product(PAGES.items(), ("src", "tgt")):
        _row(name, endpoint, values, condition)


def _row(name: str, endpoint: str, values: dict[str, int], condition: str) -> None:
    env = gymnasium.make(env_id("magento", condition), budget=10**9, terminate_on="answer", disable_env_checker=True)
    base = cast(SkillShiftEnv, env.unwrapped)
    env.reset(seed=0)
    addresses = [_address(base, endpoint, values, number) for number in range(40)]
    text = base.site.request(Request("GET", base.site.origin + addresses[0])).body.decode()
    floor = median(lambda: [e.tag for e in etree.HTML(text).iter()], 40)
    render = median(
        iter_call(base.site.request, ((Request("GET", f"{base.site.origin}{a}&y=1"),) for a in addresses)), 40
    )
    RESPONSES.resize(RESPONSES.megabytes)
    goto = [(f"goto('{a}')",) for a in addresses]
    cold, warm = (median(iter_call(env.step, iter(goto)), len(goto)) for _ in range(2))
    field = next(e.bid for e in base.page.interactive if e.role in ("textbox", "searchbox") and e.visible)
    typing = median(iter_call(env.step, ((f"fill('{field}', 'text {n}')",) for n in range(10**6))), 40)
    count = len(base.page)
    budgets = [low + (high - low) * (count - 200) / 1800 for low, high in ((2.0, 15.0), (0.2, 0.5))]
    print(
        f"| {name} | {base.version} | {count} | {floor:.2f} | {render:.1f} | {cold:.1f} ({cold / floor:.0f}x) | {budgets[0]:.1f} "
        f"| {warm:.2f} | {budgets[1]:.2f} | {typing:.1f} |"
    )
    env.close()


def _address(env: SkillShiftEnv, endpoint: str, values: dict[str, int], number: int) -> str:
    """Returns one of many addresses of a page, told apart by a field that means nothing."""
    return url(env.version, endpoint, {"limit": 200, "x": number + 1}, **values)


if __name__ == "__main__":
    started = time.perf_counter()
    main()
    print(f"\n{time.perf_counter() - started:.0f} s")
