"""Views: everything the episode was, nothing from outside, and it works in a browser."""

from __future__ import annotations

import base64
import json
import re
import zlib

import pytest
from lxml import html
from playwright.sync_api import sync_playwright

from skillshift_gym.browsers.chromium_launch import find_chromium
from skillshift_gym.cli import main
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.records import RECORDS, RunInfo
from skillshift_gym.evaluation.runner import run
from skillshift_gym.evaluation.shown import Shelf
from skillshift_gym.evaluation.trajectories import folder_of
from skillshift_gym.evaluation.view import view_all, view_task
from skillshift_gym.wrappers.record import RecordTrajectory

AGENT = """
class Odd:
    '''Meets every kind of end: solves nothing, is blocked, errs, and raises where the task says so.'''
    def reset(self, task, recorder):
        self.task, self.number = task, 0
    def act(self, observation):
        self.number += 1
        if ".17." in self.task.uid and self.number == 4:
            raise RuntimeError("no <b>reply</b>")
        if self.number == 6:
            return "send_msg_to_user('</script><script>document.title=1</script>')"
        long = "goto('/?s=" + "word+" * 60 + "')"
        return ["click('15')", "<img src=x onerror=alert(1)>", "click('9999')", long][(self.number - 1) % 4]
"""
TASKS = ("wordpress.17", "wordpress.3")


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    (folder / "odd_agents.py").write_text(AGENT)
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(folder)
    info = RunInfo(agent="odd_agents:Odd", sites=("wordpress",), conditions=("src", "src-exec", "tgt"), tasks=TASKS)
    run(info, folder / "x", workers=0, progress=False, record=True)
    patch.undo()
    return folder / "x"


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reference")
    info = RunInfo(agent="reference", sites=("wordpress",), conditions=("src", "src-exec"), tasks=TASKS)
    run(info, folder, workers=0, progress=False, record=True)
    return folder


def data_of(path):
    root = html.document_fromstring(path.read_text())
    return json.loads(root.get_element_by_id("data").text), root


def documents(data):
    return [zlib.decompress(base64.b64decode(packed)).decode() for c in data for packed, _ in c["documents"].values()]


def test_a_page_shows_two_conditions_step_by_step(reference):
    path = view_task(reference, "wordpress.17", ["src", "src-exec"])
    assert path == reference / "view" / "wordpress.17.html" and path.stat().st_size < 400_000
    data, root = data_of(path)
    assert [e.text for e in root.findall(".//h2")] == ["src", "src-exec"]
    rows = [[tr.text_content() for tr in table.iter("tr")] for table in root.iter("table")]
    assert "fill('372', 'warden')" in rows[0][0] and "input “Search …”" in rows[0][0]
    assert [len(c["moments"]) for c in data] == [len(r) for r in rows]
    assert data[0]["moments"][0]["target"] == "372" and data[0]["moments"][0]["blocker"] == ""
    assert data[1]["moments"][0]["blocker"] != "" and "Close survey" in rows[1][0]
    assert rows[0][-1].endswith("Success")


def test_nothing_comes_from_outside_and_nothing_runs(odd):
    for task in TASKS:
        data, root = data_of(view_task(odd, task))
        assert not root.xpath("//@src | //link | //img | //*[@href]")
        assert [f.get("sandbox") for f in root.iter("iframe")] == ["allow-same-origin"] * 2
        assert len(list(root.iter("script"))) == 2 and "default-src 'none'" in root.find(".//meta[@content]").get(
            "content"
        )
        for text in documents(data):
            page = html.document_fromstring(text)
            assert not page.xpath("//script | //link | //meta | //base | //iframe | //object | //embed")
            assert not page.xpath("//@href | //@action | //@srcset | //@formaction | //@*[starts-with(name(), 'on')]")
            assert all(re.fullmatch(r"picture:\d+", source) for source in page.xpath("//@src"))
        assert all(p.startswith("data:image/svg+xml;base64,") for c in data for p in c["pictures"])
        assert all(sheet and "@import" not in sheet for c in data for sheet in c["sheets"])


def test_a_hostile_page_is_tamed():
    shelf = Shelf("wordpress", "v1")
    text = (
        "<html bid=0><head><base href=//evil><script>1</script><link rel=stylesheet href=//evil/x.css></head>"
        "<body bid=1 onload=x() background=//evil><svg><a xlink:href=//evil>x</a></svg><a bid=2 href=javascript:x ping=//e>l</a>"
        "<img bid=3 src=//evil/p.png srcset=//evil><form action=//evil><button formaction=//evil>Go &lt;b></button></form>"
        "<iframe srcdoc='<script>1</script>'></iframe><video src=//evil poster=//evil></video><p bid=4>src=\"picture:1\"</p>"
        "<input bid=5 type=image src=//evil></body></html>"
    )
    shown = shelf.document(text, "https://wordpress.example/", frozenset("24"))
    written = zlib.decompress(base64.b64decode(shown.data)).decode()
    assert (
        "evil" not in written and "javascript" not in written and "<script" not in written and "onload" not in written
    )
    assert shown.labels == {"2": "a “l”", "4": 'p “src="picture:1"”'} and shown.sheets == ()
    assert not shelf.pictures and not shelf.sheets


def test_errors_reasons_and_foreign_text_are_shown_as_text(odd):
    text = view_task(odd, "wordpress.17", ["src", "src-exec"]).read_text()
    assert "RuntimeError: no &lt;b&gt;reply&lt;/b&gt;" in text and "Agent error" in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text and "malformed: " in text and "<img src=x" not in text
    assert "covered: the dialog" in text and "missing: there is no element" in text
    text = view_task(odd, "wordpress.3", ["src"]).read_text()
    assert "Failure" in text and "</script><script>document" not in text
    assert "failed</b> url: expected /" in text


def test_by_default_it_shows_what_differs(reference, tmp_path):
    lines = [json.loads(line) for line in (reference / RECORDS).read_text().splitlines()]
    for line in lines:
        if line["task"] == "wordpress.17" and line["condition"] == "src-exec":
            line |= {"success": False, "end": "failure", "reason": "made up"}
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("run.json", "trajectories"):
        (folder / name).symlink_to(reference / name)
    (folder / RECORDS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    path = view_task(folder)
    assert path.name == "wordpress.17.html" and "made up" in path.read_text()
    (folder / RECORDS).unlink()
    assert view_task(folder).name == "wordpress.3.html"


def test_the_list_of_all_tasks(odd, tmp_path):
    path = view_all(odd, out=tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["index.html", "wordpress.17.html", "wordpress.3.html"]
    root = html.document_fromstring(path.read_text())
    assert root.xpath("//a/@href") == ["wordpress.3.html", "wordpress.17.html"]
    assert [th.text for th in root.iter("th")] == ["task", "src", "src-exec", "tgt"]
    assert "Agent error" in root.text_content()
    assert 'href="index.html"' in (tmp_path / "wordpress.3.html").read_text()


def test_the_command_writes_where_it_is_told(reference, tmp_path, capsys):
    out = tmp_path / "deep" / "x.html"
    assert main(["view", str(reference), "--task", "wordpress.3", "--condition", "src", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"written: {out}\n" and len(data_of(out)[0]) == 1
    assert main(["view", str(reference), "--all"]) == 0
    assert main(["view", str(reference), "--task", "wordpress.1"]) == 2
    assert "no trajectory of task 'wordpress.1'" in capsys.readouterr().err


def test_no_more_than_two_conditions(odd):
    with pytest.raises(UsageError, match="expected one or two conditions side by side, got src, src-exec, tgt"):
        view_task(odd, "wordpress.3", ["src", "src-exec", "tgt"])


def test_a_trajectory_without_html_says_so(make, reference, tmp_path):
    (tmp_path / "run.json").write_text((reference / "run.json").read_text())
    env = RecordTrajectory(make(), folder_of(tmp_path), fields=["url"], name="{task}.{condition}")
    env.reset(seed=0, options={"task": "wordpress.3"})
    env.step("send_msg_to_user('x')")
    path = view_task(tmp_path)
    assert "The HTML of this page was not recorded." in path.read_text() and data_of(path)[0][0]["documents"] == {}


def test_it_works_in_a_browser_without_a_request(odd):
    path = view_task(odd, "wordpress.3", ["src", "src-exec"])
    requests, problems = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text))
        page.goto(path.as_uri())
        frame = page.frame_locator("iframe").first
        assert frame.locator("[bid='15']").inner_text() == "About"
        assert frame.locator("[bid='15']").evaluate("e => getComputedStyle(e).outlineColor") == "rgb(22, 104, 199)"
        assert frame.locator("body").evaluate("e => getComputedStyle(e).fontFamily").startswith(("Roboto", '"'))
        blocked = page.frame_locator("iframe").nth(1).locator("[role=dialog]")
        assert blocked.evaluate("e => getComputedStyle(e).outlineStyle") == "dashed"
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.querySelector('output').textContent === 'Step 2 of 7'")
        assert page.locator(".now > div.on code").first.inner_text() == "<img src=x onerror=alert(1)>"
        page.keyboard.press("End")
        assert page.locator("output").inner_text() == "Step 7 of 7" and page.evaluate("window.scrollY") == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 1400, "a long address does not widen the page"
        page.locator("tr[data-go='2']").first.click()
        assert page.locator("output").inner_text() == "Step 3 of 7"
        assert page.title() == "wordpress.3: src and src-exec"
        browser.close()
    assert {u.split(":")[0] for u in requests} <= {"file", "about", "data"} and problems == []
