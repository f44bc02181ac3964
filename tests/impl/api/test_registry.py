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
    assert {
        implementation.protocol
        for implementation in implementations().values()
        if implementation.name.startswith("skip_ring")
    } == {"skip_ring"}


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


OTHERWISE = "from gomboc.impl.protocols.chord import IMPLEMENTATION"


def test_an_implementation_is_installed_under_its_own_name(installed):
    installed({"tapestry": "foreign:IMPLEMENTATION"}, OTHERWISE)
    with refusing("foreign:IMPLEMENTATION is installed as 'tapestry' and calls itself 'chord': use one name."):
        implementation("tapestry")
    assert implementation("chord").name == "chord"


TWICE = """
from dataclasses import replace

from gomboc.impl.protocols.chord import IMPLEMENTATION as OURS

IMPLEMENTATION = replace(OURS, name="skip_plus")
"""


def test_two_implementations_of_one_name_are_refused_where_it_is_asked_for(installed):
    installed({"skip_plus": "foreign:IMPLEMENTATION"}, TWICE)
    with refusing("Two implementations are called 'skip_plus': rename or remove one."):
        implementation("skip_plus")
    assert implementation("chord").name == "chord"
