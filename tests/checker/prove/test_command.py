"""`gomboc prove` as a user meets it."""

import json
import signal
import subprocess
import sys

from gomboc.checker.judge.verdict import HOLDS, UNKNOWN

QUICK = "labels_lie_midway", "printed_theorem_5"


def gomboc(*words):
    """Runs the command in a process of its own."""
    words = [sys.executable, "-c", "from gomboc.checker.cli import main; main()", "prove", *words]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)


def test_each_lemma_has_a_line_and_a_refuted_claim_its_counterexample():
    done = gomboc(*QUICK)
    assert done.returncode == HOLDS, done.stderr
    assert "labels_lie_midway: proved, 10 parts (all d, by induction; " in done.stdout
    assert "printed_theorem_5: refuted, as expected (" in done.stdout
    assert '  counterexample (n = 2): {"nodes":2}\n  expected: "less than 1"; found: "1"' in done.stdout
    assert done.stdout.endswith("1 proved, 1 refuted; all as expected, including negative controls.\n")


def test_json_has_a_finding_in_each_line():
    done = gomboc("--format", "json", *QUICK)
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["name"] for one in objects] == list(QUICK)
    assert [one["statement"]["result"]["type"] for one in objects] == ["proved", "refuted"]


def test_list_says_what_there_is_and_proves_nothing():
    done = gomboc("--list", "edges_of_the_ring")
    assert done.returncode == HOLDS
    assert done.stdout.startswith("edges_of_the_ring: to be proved (every n from 2 to 2^64, by induction)\n")


def test_too_little_time_is_unknown():
    done = gomboc("--timeout", "0.001", "edges_of_the_ring")
    assert done.returncode == UNKNOWN
    assert done.stdout.startswith("edges_of_the_ring: UNKNOWN (")


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
