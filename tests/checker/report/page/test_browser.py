"""The page in a real browser: nothing on the console, the slider and the keys move the film, and it shows the step."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from tests.checker.cli.command import gomboc

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
TRACES = Path(__file__).resolve().parents[4] / "traces"
LIE = TRACES / "skip_ring" / "neighbour_forgotten.bad.jsonl"

pytestmark = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="there is no Chromium with ChromeDriver here: install chromium and chromium-driver"
)


@pytest.fixture(scope="module")
def browser():
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    words = (
        "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking window-size=1100,900"
    )
    for word in words.split():
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """The page on a lie that is told at step 18 of 116."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    assert gomboc("report", LIE, "--output", path).code == 0
    browser.get(path.as_uri())
    return browser.find_element("class name", "film")


def shown(page):
    return int(page.get_attribute("data-step")), page.find_element("class name", "where").text


def press(page, *keys):
    page.parent.execute_script("arguments[0].focus()", page)
    for key in keys:
        page.send_keys(key)


def test_it_opens_at_the_step_that_the_verdict_names_and_shows_what_is_false(page):
    page.parent.refresh()
    page = page.parent.find_element("class name", "film")
    assert shown(page) == (18, "step 18 of 116: 1 condition violated")
    assert page.find_element("class name", "told").text.startswith("v3 took timeout")
    row = page.find_element("css selector", 'tr[data-name="left_is_predecessor"]')
    assert row.find_element("class name", "truth").text == "✗"
    assert page.find_elements("css selector", ".stage .spot.acts")
    changed = page.find_elements("css selector", ".variables .changed > *")
    assert [cell.text for cell in changed] == ["≠ left", '["001","v5"]', "null"]


def test_keys_and_the_slider_move_it_and_it_jumps_to_the_violation_and_to_legitimacy(browser, page):
    from selenium.webdriver.common.keys import Keys

    browser.refresh()
    page = browser.find_element("class name", "film")
    press(page, Keys.ARROW_LEFT)
    assert shown(page) == (17, "step 17 of 116: legitimate")
    press(page, Keys.END)
    assert shown(page)[0] == 116
    press(page, "v")
    assert shown(page)[0] == 18
    press(page, "l")
    assert shown(page)[0] == int(page.get_attribute("data-legitimate"))
    press(page, Keys.HOME, Keys.ARROW_RIGHT)
    assert shown(page)[0] == 1
    slider = page.find_element("class name", "slider")
    slider.send_keys(Keys.END)
    assert shown(page)[0] == 116
    page.find_element("class name", "back").click()
    assert shown(page)[0] == 115


def test_it_plays_and_pauses(browser, page):
    from selenium.webdriver.support.wait import WebDriverWait

    browser.refresh()
    page = browser.find_element("class name", "film")
    page.find_element("class name", "play").click()
    WebDriverWait(browser, 10).until(lambda _: shown(page)[0] >= 20)
    page.find_element("class name", "play").click()
    assert page.find_element("class name", "play").text == "Play"


def test_going_back_shows_what_going_on_had_shown(browser, page):
    """The scene at a step does not depend on the way to it."""
    browser.refresh()
    seen = "const f = document.querySelector('.film').film; f.go(arguments[0], false);" + (
        "return JSON.stringify([f.scene.spots, f.scene.lines, f.scene.wrong, [...f.scene.flying.keys()].sort()]);"
    )
    forward = [browser.execute_script(seen, step) for step in range(117)]
    assert len(set(forward)) > 50
    assert [browser.execute_script(seen, step) for step in reversed(range(117))] == forward[::-1]


def test_nothing_is_on_the_console_and_nothing_is_asked_of_a_network(browser, page):
    browser.refresh()
    assert browser.get_log("browser") == []
    asked = browser.execute_script("return performance.getEntriesByType('resource').map((each) => each.name)")
    assert [name for name in asked if not name.startswith("data:")] == []


def test_on_a_phone_nothing_is_wider_than_the_page(browser, page):
    browser.set_window_size(500, 900)
    try:
        wide = browser.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        assert wide[0] <= wide[1]
    finally:
        browser.set_window_size(1100, 900)


def opened(browser, page, fragment):
    """The film of the page at an address, opened anew."""
    browser.get("about:blank")
    browser.get(f"{page}{fragment}")
    return browser.find_element("class name", "film")


def until(browser, condition):
    from selenium.webdriver.support.wait import WebDriverWait

    return WebDriverWait(browser, 10).until(lambda _: condition())


@pytest.fixture(scope="module")
def address(browser, page):
    return page.parent.current_url.partition("#")[0]


@pytest.mark.parametrize(
    ("fragment", "step", "note"),
    [
        ("#step=0", 0, ""),
        ("#step=42", 42, ""),
        ("#step=116", 116, ""),
        ("#step=117", 116, "Step 117 is not among those that are shown, 0 to 116. The trace ends before it."),
        ("#step=", 18, "The address #step= names no step: write #step=12, for example."),
        ("#step=-1", 18, "The address #step=-1 names no step: write #step=12, for example."),
        ("#step=1e9", 18, "The address #step=1e9 names no step: write #step=12, for example."),
        ("#film=3&step=4", 18, "There is no film 3 on this page."),
        ("#elsewhere", 18, ""),
    ],
)
def test_the_address_names_the_step(browser, address, fragment, step, note):
    film = opened(browser, address, fragment)
    assert shown(film)[0] == step
    assert film.find_element("class name", "note").text == note


def test_the_address_follows_the_steps_and_the_steps_follow_the_address(browser, address):
    from selenium.webdriver.common.keys import Keys

    film = opened(browser, address, "")
    press(film, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    until(browser, lambda: browser.current_url == f"{address}#step=20")
    browser.execute_script("location.hash = '#step=7'")
    until(browser, lambda: shown(film)[0] == 7)
    browser.back()
    until(browser, lambda: shown(film)[0] == 20)
    browser.find_element("link text", "show step 18").click()
    until(browser, lambda: shown(film)[0] == 18)


def test_a_step_outside_of_the_window_is_refused_with_the_command_that_shows_it(browser, tmp_path, monkeypatch):
    monkeypatch.setattr("gomboc.checker.report.page.window.MOST_STEPS", 20)
    assert gomboc("report", LIE, "--output", tmp_path / "page.html").code == 0
    film = opened(browser, (tmp_path / "page.html").as_uri(), "#step=90")
    note = film.find_element("class name", "note").text
    assert shown(film)[0] == 27
    said, _, command = note.partition(" This makes a page with it: gomboc ")
    assert said == "Step 90 is not among those that are shown, 7 to 27."
    monkeypatch.chdir(tmp_path)
    assert gomboc(*shlex.split(command)).code == 0
    film = opened(browser, (tmp_path / "steps.html").as_uri(), "#step=90")
    assert shown(film)[0] == 90
    assert film.find_element("class name", "note").text == ""


def test_the_state_before_a_step_is_known_at_each_step(browser, tmp_path):
    """Also at steps with a stored scene, to which one can go back without a walk."""
    words = "--nodes 4 --start legitimate --settle 20 --output"
    assert gomboc("simulate", "skip_ring", *words.split(), tmp_path / "runs").code == 0
    assert gomboc("report", tmp_path / "runs", "--output", tmp_path / "page.html").code == 0
    film = opened(browser, (tmp_path / "page.html").as_uri(), "")
    before = "const f = document.querySelector('.film').film; f.go(arguments[0], false); return f.before"
    last = int(film.find_element("class name", "slider").get_attribute("max"))
    assert last > 200
    steps = [0, 1, 199, 200, 201, last]
    walked = [browser.execute_script(before, step) for step in steps]
    assert [step for step, state in zip(steps, walked, strict=True) if state is None] == [0]
    assert [browser.execute_script(before, step) for step in reversed(steps)] == walked[::-1]


def test_a_click_on_an_event_shows_its_message_and_the_states_of_any_node(browser, address):
    from selenium.webdriver.support.select import Select

    film = opened(browser, address, "#step=18")
    browser.execute_script("document.querySelector('.message-arrow').dispatchEvent(new MouseEvent('click'))")
    message = film.find_element("class name", "chosen-message")
    name = browser.execute_script("return document.querySelector('.message-arrow title').textContent")
    assert f"message {message.text.split()[1]}, " in name
    events = film.find_elements("css selector", ".event circle")
    browser.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", events[0])
    assert shown(film)[0] == 9
    opened_at = film.find_element("css selector", ".event.now title").get_attribute("textContent")
    assert opened_at.startswith("step 9: ")
    Select(film.find_element("class name", "node-choice")).select_by_visible_text("v3")
    before = variables(film)
    browser.execute_script("document.querySelector('.film').film.go(18, false)")
    after = variables(film)
    assert before["left"] == ('["001","v5"]', '["001","v5"]')
    assert after["≠ left"] == ('["001","v5"]', "null")


def variables(film):
    rows = film.find_elements("css selector", ".variables tr")
    cells = [[cell.text for cell in row.find_elements("css selector", "*:is(th, td)")] for row in rows]
    return {name: (before, after) for name, before, after in cells}


def test_states_at_each_step_are_those_of_the_trace(browser, address):
    """Of every node, after a walk there and back, and in the table of all."""
    states = json.loads(LIE.read_text().splitlines()[0])["states"]
    after = {}
    for number, line in enumerate(LIE.read_text().splitlines()[1:], 1):
        step = json.loads(line)
        states[step["node"]] = step["state"]
        after[number] = {name: dict(state) for name, state in states.items()}
    film = opened(browser, address, "")
    film.find_element("css selector", ".everyone summary").click()
    for step in (116, 18, 1, 60):
        browser.execute_script("document.querySelector('.film').film.go(arguments[0], false)", step)
        seen = browser.execute_script("return document.querySelector('.film').film.scene.states")
        assert {node: {k: json.loads(text) for k, text in item.items()} for node, item in seen.items()} == after[step]
        head = [cell.text for cell in film.find_elements("css selector", ".grid thead th")]
        row = film.find_elements("css selector", ".grid tbody tr:nth-child(3) > *")
        cells = dict(zip(head, [cell.text.removeprefix("≠ ") for cell in row], strict=True))
        node = after[step][cells.pop("node")]
        assert {name: json.loads(text) for name, text in cells.items() if text != "–"} == node


def test_steps_are_found_by_node_rule_kind_and_text(browser, address):
    from selenium.webdriver.support.select import Select

    steps = [json.loads(line) for line in LIE.read_text().splitlines()[1:]]
    film = opened(browser, address, "")
    hits = film.find_element("class name", "hits")
    choose = {name: Select(film.find_element("class name", name)) for name in ("by-node", "by-rule", "by-kind")}
    choose["by-node"].select_by_visible_text("v3")
    mine = [number for number, step in enumerate(steps, 1) if step["node"] == "v3"]
    assert hits.text == f"{len(mine)} of 116 steps"
    choose["by-kind"].select_by_visible_text("timeout")
    timeouts = [number for number in mine if steps[number - 1]["took"] == "timeout"]
    assert hits.text == f"{len(timeouts)} of 116 steps"
    film.find_element("class name", "next-hit").click()
    assert shown(film)[0] == next(number for number in timeouts if number > 18)
    choose["by-kind"].select_by_visible_text("anything")
    choose["by-node"].select_by_visible_text("any")
    film.find_element("class name", "by-text").send_keys("V3 2")
    assert hits.text == "0 of 116 steps"
    film.find_element("class name", "by-text").clear()
    choose["by-rule"].select_by_visible_text("subscriber_timeout")
    links = film.find_elements("css selector", ".hit-list a")
    links[0].click()
    until(browser, lambda: film.find_element("class name", "told").text.find("rule subscriber_timeout") > 0)


BAD = "</script><!--<script><img src=x onerror=document.title='bad'>\"'&\u2028é"


def test_no_text_of_a_trace_is_markup(browser, tmp_path):
    """Payloads, keys and file names with tags, quotes and line separators are shown as they are."""
    text = TRACES.joinpath("dissemination", "one_publishes.ok.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    name = tmp_path / "a <b> 'x' & é.jsonl"
    name.write_text("".join(json.dumps(rename(line)) + "\n" for line in lines))
    assert gomboc("report", name, "--output", tmp_path / "page.html").code == 0
    film = opened(browser, (tmp_path / "page.html").as_uri(), "")
    for step in range(int(film.get_attribute("data-first")), len(lines)):
        browser.execute_script("document.querySelector('.film').film.go(arguments[0], false)", step)
    assert browser.find_elements("css selector", "img, b") == []
    assert browser.title != "bad"
    cells = browser.execute_script("return document.querySelector('.variables').textContent")
    assert json.dumps(BAD, ensure_ascii=False) in cells
    assert browser.get_log("browser") == []


def rename(value):
    """The same value, with bad text for each payload: the fourth part of a publication."""
    if isinstance(value, list) and len(value) == 5 and value[3] == "":
        return [*value[:3], BAD, value[4]]
    if isinstance(value, dict):
        return {key: rename(item) for key, item in value.items()}
    return [rename(item) for item in value] if isinstance(value, list) else value
