"""`gomboc explore`: a model, an engine or a folder with which nothing can be explored is refused in a sentence."""

import sys

import pytest

from gomboc.spec.protocols.skip_ring import models
from tests.checker.cli.command import refused
from tests.checker.cli.exploring import HERE, explored
from tests.known import PROTOCOLS


@pytest.mark.parametrize("engine", ["plain", "table", "auto"])
def test_a_shared_memory_that_makes_no_sense_is_refused_by_every_engine(engine):
    assert refused("explore", f"{HERE}:four_machines_that_flicker", "--engine", engine) == (
        "gomboc: The model token_ring has moves that are others when they are asked for again, "
        "for the machine m0, which sees (0, 0).\n"
    )


IN_STEP = "The model counter raises in step with the action 'more'"
FLICKERS = "has a step that answers differently when it is asked again"
BAD_MODELS = {
    "leaving_in_step": f"{IN_STEP} (SystemExit: 0), in the state 0.",
    "interrupting_in_step": f"{IN_STEP} (KeyboardInterrupt), in the state 0.",
    "dying_in_step": f"{IN_STEP} (SystemExit: 0), in the state 0.",
    "leaving": f"{HERE}:leaving cannot be called without arguments (SystemExit: 0).",
    "dying": f"{HERE}:dying cannot be called without arguments (SystemExit: 0).",
    "leaving_in_rights": "The model linearisation raises (SystemExit: 0), while its steps are taken.",
    "uneven": "The model counter has coins whose chances add up to 3/4 and not to 1, those of 'coin', in the state 0.",
    "negative": "The model counter has an action with the chance -1/4, and every chance is above 0, in the state 0.",
    "flickering": f"The model counter {FLICKERS}, in the state 0 with the action 'more'.",
}


@pytest.mark.parametrize("name", BAD_MODELS)
def test_a_model_that_ends_the_command_or_makes_no_sense_is_refused(name):
    assert refused("explore", f"{HERE}:{name}") == f"gomboc: {BAD_MODELS[name]}\n"


@pytest.mark.parametrize("engine", ["plain", "table"])
def test_a_protocol_that_makes_no_sense_is_refused_by_both_engines(engine):
    uneven, flickering = (
        refused("explore", f"{HERE}:{name}", "--engine", engine) for name in ("uneven_protocol", "flickering_protocol")
    )
    assert "The model linearisation has coins whose chances add up to 1/2 and not to 1" in uneven
    assert f"The model linearisation {FLICKERS}" in flickering


def test_a_module_that_leaves_while_it_is_imported_is_refused(tmp_path, monkeypatch):
    (tmp_path / "leaves_at_once.py").write_text("import sys\nsys.exit(0)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert refused("explore", "leaves_at_once:MODEL") == (
        "gomboc: The module leaves_at_once cannot be imported (SystemExit: 0).\n"
    )


@pytest.mark.parametrize(
    ("name", "instead", "why"),
    [
        ("in_order", "numbered", "knows no channels that keep an order"),
        (
            "not_commuting",
            "plain",
            "takes whole rounds as single steps, and the receipts of linearisation do not commute",
        ),
        (
            "alike_with_promises",
            "plain",
            "takes no two nodes for alike, since linearisation states more than steps and legitimacy",
        ),
        ("alike_in_rounds", "plain", "takes no two nodes for alike where a step is a whole round"),
    ],
)
def test_what_the_tables_do_not_know_is_refused_and_explored_otherwise(name, instead, why):
    assert refused("explore", f"{HERE}:{name}", "--engine", "table") == (
        f"gomboc: The table-driven explorer {why}; explore it with --engine plain.\n"
    )
    assert f"  engine: {instead}; " in explored(name, "--states", "50").out


@pytest.mark.parametrize("engine", ["plain", "table", "auto"])
@pytest.mark.parametrize(
    ("name", "why"), [("without_nodes", "has no node"), ("alike_to_none", "has 'z' in alike, which is no node")]
)
def test_an_instance_that_makes_no_sense_is_refused_by_every_engine(engine, name, why):
    assert refused("explore", f"{HERE}:{name}", "--engine", engine) == (
        f"gomboc: The model linearisation {why}, as it is stated.\n"
    )


@pytest.mark.parametrize("engine", ["plain", "table", "auto"])
@pytest.mark.parametrize(("name", "bound"), [("without_room", "most=0"), ("without_copies", "copies=0")])
def test_a_bound_below_one_is_refused_by_every_engine(engine, name, bound):
    assert refused("explore", f"{HERE}:{name}", "--engine", engine) == (
        f"gomboc: The model linearisation has {bound}, and a bound on messages in flight is a whole number from 1 on, "
        "as it is stated.\n"
    )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("a_step_that_raises", "raises in step with the action 'more' (ValueError: two is too many), in the state 2"),
        (
            "fairness_that_raises",
            "raises in fair (AttributeError: 'str' object has no attribute 'turns'), for the action 'more'",
        ),
    ],
)
def test_a_model_that_cannot_be_trusted_is_no_finding(name, sentence):
    assert refused("explore", f"{HERE}:{name}") == f"gomboc: The model counter {sentence}.\n"


def test_what_there_is_to_explore_is_listed_where_something_else_is_asked_for():
    assert refused("explore", "chess") == (
        f"gomboc: There is no protocol 'chess'; there are: {PROTOCOLS}. "
        "A model of your own is named package.module:NAME.\n"
    )
    names = ", ".join(pinned.name for pinned in models.MODELS)
    said = refused("explore", "skip_ring", "--instance", "ten")
    assert said == f"gomboc: skip_ring has no model 'ten' to explore; it has: {names}.\n"


def test_a_folder_that_cannot_be_written_is_the_callers_fault(tmp_path):
    (tmp_path / "file").write_text("")
    assert refused("explore", f"{HERE}:loop", "--output", tmp_path / "file" / "folder") == (
        f"gomboc: {tmp_path / 'file' / 'folder'}: it cannot be written: Not a directory.\n"
    )


@pytest.mark.parametrize("scheduler", ["synchronous", "distributed"])
@pytest.mark.parametrize("written", [False, True])
def test_nodes_that_send_messages_have_the_central_scheduler_only(tmp_path, scheduler, written):
    graph = ("--drn", tmp_path / "graph.drn") if written else ()
    assert refused("explore", f"{HERE}:linear", "--scheduler", scheduler, *graph) == (
        "gomboc: The nodes of linearisation share no memory: explore with --scheduler central.\n"
    )
    assert not [*tmp_path.iterdir()]
