"""Pictures of protocols: of their evidence, and refused in a sentence if they cannot be used."""

import json
import re
from itertools import count
from pathlib import Path

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.evidence import ProtocolEvidence
from gomboc.checker.report.page import pictures
from gomboc.checker.report.page.picture import plain
from gomboc.checker.report.page.pictures import picture_of
from gomboc.spec.core.registry import find_protocol
from tests.checker.cli.command import gomboc

TRACE = Path(__file__).resolve().parents[4] / "traces" / "dissemination" / "one_publishes.ok.jsonl"
PROTOCOL = find_protocol("dissemination")
HEAD = "from gomboc.checker.report.page.picture import Line, Picture, Spot\n"
SPOT = "def spot(names, node, local): return Spot(0.5, -0.5, f'<b>{node}</b>', 'in')\n"
LINES = "def lines(node, local, false): return (Line('nowhere', 9, True),)\n"
GOOD = f"{HEAD}{SPOT}{LINES}PICTURE = Picture(spot, lines, ('friend',))\n"
NUMBERS = count(1)
MADE = f"{GOOD}ITS = PICTURE\nPICTURE = lambda protocol: ITS\n"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Have a picture with that text be that of dissemination."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(text, name):
        (tmp_path / f"{name}.py").write_text(text)
        evidence = ProtocolEvidence(picture=f"{name}:PICTURE")
        monkeypatch.setattr(pictures, "evidence_on", lambda protocol: evidence)
        return picture_of(PROTOCOL)

    return install


def test_a_protocol_without_a_picture_is_drawn_plainly():
    assert not picture_of(PROTOCOL).own
    assert not plain(PROTOCOL).own
    assert picture_of(find_protocol("skip_ring")).own


@pytest.mark.parametrize("text", [GOOD, MADE], ids=["a picture", "a function that makes it"])
def test_a_picture_that_is_installed_is_drawn(installed, text, tmp_path):
    assert installed(text, f"picture_{len(text)}").own
    path = tmp_path / "page.html"
    assert gomboc("report", TRACE, "--output", path).code == 0
    film = json.loads(re.findall(r'<script type="application/json">(.*?)</script>', path.read_text())[0])
    assert film["pictured"]
    assert film["levels"] == ["friend"]
    assert "<b>" not in path.read_text()
    assert "&lt;b&gt;" in path.read_text()


def spot(text):
    return f"{HEAD}def spot(names, node, local): {text}\n{LINES}PICTURE = Picture(spot, lines, ('friend',))\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 / 0", "The picture {} failed (ZeroDivisionError: division by zero): fix it."),
        ("raise SystemExit(0)", "The picture {} failed (SystemExit: 0): fix it."),
        ("PICTURE = 3", "The picture {} is of type int, and a picture is a gomboc.checker.report.page.picture.Picture"),
        ("OTHER = 3", "The picture {} cannot be imported: {name} has no 'PICTURE'; fix or remove it."),
        (GOOD.replace("('friend',)", "()"), "The picture {} must name at least one level of lines, each with a text"),
        (spot("return None"), "The picture {} draws v1 as None, which is not a Spot with |x| and |y| up to 2, a text"),
        (spot("return Spot(float('nan'), 0, 'v', 'in')"), "The picture {} draws v1 as Spot(x=nan, y=0, label='v'"),
        (spot("return Spot(0, 0, 'v', 'red')"), "The picture {} draws v1 as Spot(x=0, y=0, label='v', look='red')"),
        (spot("raise KeyError('v')"), "The picture {} failed (KeyError: 'v'): fix it."),
        (GOOD.replace("9, True", "-1, True"), "The picture {} draws Line(to='nowhere', level=-1, right=True) at v1"),
        (GOOD.replace("return (Line", "return 3 or (Line"), "The picture {} failed (TypeError: 'int' object is not"),
    ],
)
def test_a_picture_that_cannot_be_used_is_refused_in_a_sentence(installed, text, sentence):
    name = f"bad_{next(NUMBERS)}"
    with pytest.raises(UsageError) as refusal:  # noqa: PT012  # a picture fails when it is loaded, or when it draws
        picture = installed(text, name)
        picture.spot(("v1", "v2"), "v1", None)
        picture.lines("v1", None, frozenset())
    assert str(refusal.value).startswith(sentence.format(f"{name}:PICTURE", name=name))
