import sys

import pytest

from gomboc.impl.api.registry import GROUP, implementation, implementations
from tests.impl.refusing import refusing
from tests.installed import forget, install


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a distribution with these implementations by name, in a module `foreign` with this text."""

    def bring(points, text):
        install("foreign", {GROUP: points}, tmp_path)
        (tmp_path / "foreign.py").write_text(text)
        monkeypatch.delitem(sys.modules, "foreign", raising=False)
        monkeypatch.syspath_prepend(tmp_path)
        forget()

    yield bring
    monkeypatch.undo()
    forget()


def test_implementations_are_found_by_their_folder():
    assert {"dissemination", "skip_plus", "skip_ring", "skip_ring.printed_linearize"} <= {*implementations()}


def test_a_variant_is_of_the_same_protocol():
    found = {one.protocol for name, one in implementations().items() if name.startswith("skip_ring")}
    assert found == {"skip_ring"}


def test_an_unknown_name_is_refused_with_those_that_there_are():
    with refusing(f"There is no implementation 'tapestry'; there are: {', '.join(implementations())}."):
        implementation("tapestry")


BROKEN = "foreign:IMPLEMENTATION cannot be imported (ZeroDivisionError: division by zero): fix or install it."


def test_an_installed_implementation_that_fails_stops_no_other(installed):
    names = [*implementations()]
    installed({"tapestry": "foreign:IMPLEMENTATION"}, "1 / 0")
    assert implementation("chord").name == "chord"
    assert [*implementations()] == names
    with refusing(BROKEN):
        implementation("tapestry")
    with refusing(f"There is no implementation 'pastry'; there are: {', '.join(names)}. Left out: {BROKEN}"):
        implementation("pastry")


OURS = "from gomboc.impl.protocols.chord import IMPLEMENTATION"
RENAMED = f"from dataclasses import replace\n{OURS}\nIMPLEMENTATION = replace(IMPLEMENTATION, name='skip_plus')"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("tapestry", OURS, "foreign:IMPLEMENTATION is installed as 'tapestry' and calls itself 'chord': use one name."),
        ("skip_plus", RENAMED, "Two implementations are called 'skip_plus': rename or remove one."),
    ],
)
def test_an_implementation_is_installed_under_its_own_name_and_two_of_one_are_refused(name, text, says, installed):
    installed({name: "foreign:IMPLEMENTATION"}, text)
    with refusing(says):
        implementation(name)
    assert implementation("chord").name == "chord"
