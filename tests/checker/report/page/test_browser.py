"""The page in a real browser: nothing on the console, the slider and the keys move the film, and it shows the step."""

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
    assert shown(page) == (18, "step 18 of 116: 1 false")
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
