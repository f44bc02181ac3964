"""`python -m tests.bench.page`: how smoothly the page of a large trace moves, in the Chromium that is here.

The trace is a run of the skip ring from an arbitrary start; the page shows it as a film.
"""

import argparse
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.checker.cli.command import gomboc

SHOWN = """
const slider = document.querySelector('.slider'), film = document.querySelector('.film'), steps = Number(slider.max);
const times = arguments[0].map((share) => {
  const began = performance.now();
  slider.value = Math.round(share * steps);
  slider.dispatchEvent(new Event('input'));
  document.querySelector('.stage').getBoundingClientRect();
  return performance.now() - began;
}).sort((one, other) => one - other);
return [steps, times[Math.floor(times.length / 2)], times[Math.floor(0.95 * times.length)], times[times.length - 1]];
"""
FRAMES = """
const done = arguments[arguments.length - 1], film = document.querySelector('.film'), gaps = [];
let last = performance.now();
document.querySelector('.slider').value = 0;
document.querySelector('.slider').dispatchEvent(new Event('input'));
document.querySelector('.play').click();
const until = last + 5000;
const frame = (now) => {
  gaps.push(now - last); last = now;
  if (now < until) return requestAnimationFrame(frame);
  document.querySelector('.play').click();
  gaps.sort((one, other) => one - other);
  done([gaps.length, gaps[Math.floor(gaps.length / 2)], gaps[Math.floor(0.99 * gaps.length)], gaps[gaps.length - 1]]);
};
requestAnimationFrame(frame);
"""


def browser(width: int = 1100, height: int = 900) -> Any:
    """A Chromium without a window."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for word in ("headless", "no-sandbox", "disable-gpu", f"window-size={width},{height}"):
        options.add_argument(f"--{word}")
    return webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))


def main() -> None:
    """Print the figures; with --pictures, keep screenshots."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.page", description=__doc__)
    parser.add_argument("--nodes", type=int, default=63, help="members, besides the supervisor (default: 63)")
    parser.add_argument("--settle", type=int, default=2, help="rounds after legitimacy (default: 2)")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="where screenshots go")
    options = parser.parse_args()
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        parser.error("there is no Chromium with ChromeDriver here: install chromium and chromium-driver")
    with TemporaryDirectory() as folder:
        page = _page(Path(folder), options.nodes, options.settle)
        driver = browser()
        try:
            _measure(driver, page, options.pictures)
        finally:
            driver.quit()


def _page(folder: Path, nodes: int, settle: Any) -> Any:
    words = ("--nodes", nodes, "--seed", 3, "--settle", settle, "--output", folder / "runs")
    assert gomboc("simulate", "skip_ring", *words).code == 0
    (trace,) = (folder / "runs").glob("*.jsonl")
    began = time.process_time()
    assert gomboc("report", trace, "--output", folder / "page.html").code == 0
    size = (folder / "page.html").stat().st_size
    print(
        f"trace: {trace.stat().st_size / 1e6:.1f} MB; page: {size / 1e6:.1f} MB, in {time.process_time() - began:.1f} s"
    )
    return folder / "page.html"


def _measure(driver: Any, page: Any, pictures: Any) -> None:
    began = time.monotonic()
    driver.get(page.as_uri())
    loaded = time.monotonic() - began
    far = [(index * 0.618) % 1 for index in range(100)]
    steps, *jumped = driver.execute_script(SHOWN, far)
    _, *went = driver.execute_script(SHOWN, [index / steps for index in range(200)])
    driver.set_script_timeout(30)
    frames, *gaps = driver.execute_async_script(FRAMES)
    print(f"steps: {steps:,}; loaded in {loaded:.1f} s")
    for what, (middle, high, most) in (("a jump anywhere", jumped), ("the next step", went)):
        print(f"{what}: median {middle:.0f} ms, p95 {high:.0f} ms, worst {most:.0f} ms")
    apart = f"{gaps[0]:.0f} ms apart in the median, p99 {gaps[1]:.0f}, worst {gaps[2]:.0f}"
    print(f"playing for 5 s: {frames} frames, {apart}")
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        driver.save_screenshot(str(pictures / "large.png"))


if __name__ == "__main__":
    main()
