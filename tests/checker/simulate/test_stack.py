"""`gomboc simulate --layers` runs applications over a stack, and the trace of each of its layers holds and joins."""

import json

import pytest

from gomboc.checker.cli.commands.layers import check_layers
from gomboc.checker.core.output import MARKER
from tests.checker.cli.command import gomboc, refused

APPLICATIONS = ("Subscribe", "Unsubscribe", "Issue", "Crash", "Enter", "Announce", "Retract")
STACKED = (("topic_directory", ":directory:"), ("dissemination", "news"), ("dissemination", "sport"))
SMALL = "simulate", "skip_plus", "--layers", "--nodes", "3,5", "--traces", "2", "--jobs", "1"


def simulate(folder, *words):
    ran = gomboc(*SMALL, "--output", folder, *words)
    assert (ran.code, ran.err) == (0, ""), ran
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.jsonl"))}


@pytest.mark.parametrize("disturbing", [(), ("--disturb",)], ids=["at rest", "disturbed"])
@pytest.mark.parametrize("seed", [1, 2])
def test_each_layer_holds_and_joins_the_one_beneath_it(seed, disturbing, tmp_path, capsys):
    traces = simulate(tmp_path / "traces", "--seed", str(seed), *disturbing)
    layers = {f"{layer}/{topic}.jsonl" for layer, topic in STACKED}
    beneath = {f"skip_plus/{topic}.jsonl" for _, topic in STACKED}
    assert set(traces) == {f"00000{run}/{layer}" for run in (0, 1) for layer in layers | beneath}
    for run in ("000000", "000001"):
        folder = tmp_path / "traces" / run
        for layer, topic in STACKED:
            paths = (folder / "skip_plus" / f"{topic}.jsonl", folder / layer / f"{topic}.jsonl")
            assert check_layers(paths, APPLICATIONS, "text") == 0, capsys.readouterr().out


def test_the_seed_decides_everything_and_nodes_come_in_turn(tmp_path):
    once, again, other = (
        simulate(tmp_path / name, "--seed", seed, "--disturb") for name, seed in (("a", "1"), ("b", "1"), ("c", "2"))
    )
    bodies = [{name: text.split(b"\n", 1)[1] for name, text in run_.items()} for run_ in (once, again, other)]
    assert bodies[0] == bodies[1]
    assert bodies[0] != bodies[2]
    heads = [json.loads(once[f"00000{run}/skip_plus/:directory:.jsonl"].split(b"\n", 1)[0]) for run in (0, 1)]
    assert [len(head["roles"]) for head in heads] == [3, 5]
    assert [head["origin"]["run"] for head in heads] == [0, 1]


def test_a_disturbed_run_has_crashes_and_leaves_and_one_at_rest_has_none(tmp_path):
    disturbed = simulate(tmp_path / "disturbed", "--disturb")
    at_rest = simulate(tmp_path / "at_rest")
    for kind in (b'{"kind":"Crash"}', b'{"kind":"Unsubscribe"'):
        assert any(kind in text for text in disturbed.values())
        assert not any(kind in text for text in at_rest.values())


def test_a_folder_is_replaced_only_if_that_is_wanted(tmp_path):
    folder = tmp_path / "traces"
    simulate(folder)
    says = f"gomboc: {folder}: there is something already; choose another --output, or --overwrite it.\n"
    assert refused(*SMALL, "--output", folder) == says
    ran = gomboc(*SMALL, "--traces", "1", "--output", folder, "--overwrite")
    assert ran.code == 0
    assert ran.out.startswith(f"{folder}: 6 traces, ")
    assert sorted(path.name for path in folder.iterdir()) == [MARKER, "000000"]


def test_parameters_are_those_of_the_layer_that_publishes(tmp_path):
    traces = simulate(tmp_path / "traces", "--parameter", "keep=2")
    head = json.loads(traces["000000/dissemination/news.jsonl"].split(b"\n", 1)[0])
    assert head["parameters"] == {"key_bits": 32, "keep": 2}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("skip_ring",), "No layers stand on skip_ring: omit --layers."),
        (("delta_fault_tolerance",), "No layers stand on delta_fault_tolerance: omit --layers."),
        (
            ("skip_plus", "--parameter", "rounds=1"),
            "These are not parameters of dissemination: Object contains unknown field `rounds`.",
        ),
        (
            ("skip_plus", "--synchronous", "true"),
            "Applications over skip_plus need the parameter synchronous to be False: omit it.",
        ),
        *(
            (("skip_plus", *option), f"--layers runs applications from their beginning: give no {option[0]} with it.")
            for option in (
                ("--start", "legitimate"),
                ("--variant", "printed_introduction"),
                ("--publications", "4"),
                ("--crashes", "1"),
                ("--outside", "0"),
                ("--from-spec",),
                ("--only", "0"),
                ("--into", "packs"),
            )
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_no_stack_has_is_refused_in_one_sentence(words, sentence, tmp_path):
    said = refused("simulate", *words, "--layers", "--output", tmp_path / "traces")
    assert said == f"gomboc: {sentence}\n"
    assert not (tmp_path / "traces").exists()
