"""`gomboc prove` as a user meets it."""

import json
import signal
import subprocess
import sys

from gomboc.checker.judge.verdict import HOLDS, UNKNOWN
from tests.checker.cli.command import gomboc

QUICK = "labels_lie_midway", "printed_theorem_5"


def proving(*words):
    """The exit code and the output of the command, which says nothing of an error."""
    ran = gomboc("prove", *words)
    assert ran.err == ""
    return ran.code, ran.out


def test_each_lemma_has_a_line_and_a_refuted_claim_its_counterexample():
    code, out = proving(*QUICK)
    assert code == HOLDS
    assert "labels_lie_midway: proved, 10 parts (all d, by induction; " in out
    assert "printed_theorem_5: refuted, as expected (" in out
    assert '  counterexample (n = 2): {"nodes":2}\n  expected: "less than 1"; found: "1"' in out
    assert out.endswith("1 proved, 1 refuted; all as expected, including negative controls.\n")


def test_json_has_a_finding_in_each_line():
    objects = [json.loads(line) for line in proving("--format", "json", *QUICK)[1].splitlines()]
    assert [one["name"] for one in objects] == list(QUICK)
    assert [one["statement"]["result"]["type"] for one in objects] == ["proved", "refuted"]


def test_list_says_what_there_is_and_proves_nothing():
    code, out = proving("--list", "edges_of_the_ring")
    assert code == HOLDS
    assert out.startswith("edges_of_the_ring: to be proved (every n from 2 to 2^64, by induction)\n")


def test_too_little_time_is_unknown():
    code, out = proving("--timeout", "0.001", "edges_of_the_ring")
    assert code == UNKNOWN
    assert out.startswith("edges_of_the_ring: UNKNOWN (")


def test_an_interrupt_stops_it_at_once_and_leaves_no_lemma_unknown():
    words = [sys.executable, "-u", "-c", "from gomboc.checker.cli import main; main()", "prove", "--timeout", "100"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert errors.endswith("gomboc: interrupted.\n")
    assert "UNKNOWN" not in first + rest
    assert "lemmas in" not in rest


def test_z3_is_imported_by_no_node_else():
    modules = "gomboc.checker.cli.commands.prove, gomboc.checker.judge.naive, gomboc.checker.prove.report"
    code = f"import sys, {modules}; print('z3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False\n"
