"""The learned banks that ship: what their account says, clean, usable, and of one protocol."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillshift_gym.evaluation import banks
from skillshift_gym.evaluation.loading import METHODS
from skillshift_gym.evaluation.records import RunInfo
from skillshift_gym.evaluation.runner import run
from skillshift_gym.skills.addresses import made_anew_in
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.lint import lint
from skillshift_gym.skills.values import texts_in

CELLS = [(method, site) for method in METHODS for site in ("wordpress", "magento")]


def account(method):
    return json.loads((banks.folder_of(method) / "learned.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("method", "site"), CELLS)
def test_a_shipped_bank_is_the_one_its_account_tells_of(method, site):
    bank, said = Bank.load(Path(banks.file_of(method, site))), account(method)[site]
    assert bank.hash == said["hash"]
    assert (said["method"], said["protocol"], said["condition"]) == (method, "heldout", "src")
    assert banks.protocol_of(bank) in ("heldout", "")
    assert len(bank.skills) == said["skills"] >= (8 if said["callable"] else 1)
    assert bank.replayed().hash == bank.hash


@pytest.mark.parametrize(("method", "site"), CELLS)
def test_a_shipped_bank_lints_clean(method, site):
    assert [c for c in lint(Bank.load(Path(banks.file_of(method, site)))) if c.failed] == []


@pytest.mark.parametrize(("method", "site"), CELLS)
def test_no_line_of_a_shipped_bank_holds_what_only_one_session_has(method, site):
    lines = Path(banks.file_of(method, site)).read_text(encoding="utf-8").splitlines()
    kept = [json.loads(line)["event"]["skill"] for line in lines[1:]]
    assert [part for skill in kept if skill for text in texts_in(skill) if (part := made_anew_in(text))] == []


@pytest.mark.parametrize("method", METHODS)
def test_a_shipped_bank_runs_by_the_name_of_its_method(method, tmp_path):
    info = RunInfo(
        agent=method,
        sites=("wordpress", "magento"),
        conditions=("src",),
        tasks=("wordpress.0", "magento.56"),
        bank=method,
    )
    records = run(info, tmp_path / "run", workers=0, progress=False)
    assert [r.status for r in records] == ["ok", "ok"]
    assert all(r.seen is False and r.agent["exposed"] > 0 for r in records)
