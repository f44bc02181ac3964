"""The traces of the errata of Skip+: each shows the outcome on the page."""

from gomboc.checker.errata.registry import script_of
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.protocols.skip_plus import PROTOCOL
from tests.golden.drive import lines_of, reached
from tests.golden.errata import folder, scenes

FOLDER = folder("skip_plus")
SCENES = scenes("skip_plus")


def trace(name):
    return lines_of(FOLDER / f"{name}.jsonl")


def test_the_misfits_are_introduced_in_a_right_graph():
    start = script_of("skip_plus", SCENES["misfits_are_introduced"]).start
    assert not legitimacy_faults(PROTOCOL, dict(start.locals), start.in_flight)


def test_a_departed_node_is_passed_around_in_the_last_round_as_in_the_first():
    lines = trace("departed_node_is_passed_around")
    gone = next(name for name, state in lines[0]["states"].items() if not state["live"])
    knows = {step["node"]: gone in step["state"]["neighbours"] for step in lines[1:]}
    assert any(knows.values())
    states, _ = reached(trace("departed_node_is_found_out"))
    assert not any(gone in state["neighbours"] for state in states.values())
