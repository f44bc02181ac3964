"""The runner on small statements: each possible result."""

import subprocess
import sys
import time

import pytest
import z3

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import nearest
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED, Unknown
from gomboc.checker.prove.closure.paths import Path, Stack, Undecided
from gomboc.checker.prove.lemma import Count, Enumeration, Lemma, Obligation, Outcome, Replayed, Sample, Statement
from gomboc.checker.prove.registry import choose_lemmas, find_lemmas, known_lemmas
from gomboc.checker.prove.report import describe, description, lines, summary
from gomboc.checker.prove.runner import prove, settle
from gomboc.checker.prove.settlement import Proved, Refuted, Settled

X = z3.Int("x")


def says(claim, *hypotheses, holds=True, replay=None):
    """A statement of one obligation."""
    return Statement("it is said", lambda: [Obligation("x", claim, hypotheses)], holds, replay)


def lemma(statement, *contrasts):
    agrees = Sample(0, 0, 0)
    return Lemma("small", statement, "nowhere", "all x", contrasts, "no step", "all else", lambda _: agrees, (abs,))


TRUE, FALSE = says(X + 1 > X), says(X > 0, holds=False)


def code(statement, *contrasts):
    return prove(lemma(statement, *contrasts), 10).exit_code()


def test_what_follows_is_proved():
    assert settle(says(X > 0, X > 1), 10) == Settled("it is said", True, Proved(1))


def test_what_does_not_follow_is_refuted_with_values():
    assert settle(says(X == 7, z3.Or(X == 7, X == 8)), 10).result == Refuted("x", {"x": "8"})


def test_hypotheses_that_exclude_one_another_prove_nothing():
    result = settle(says(X == 7, X > 1, X < 1), 10).result
    assert result == Unknown("the hypotheses of 'x' exclude one another, so that it says nothing")


def test_parts_whose_premise_never_holds_are_not_counted_as_proved():
    never = z3.Implies(X > 2, z3.Implies(X < 2, X < 1))
    claim = z3.And(z3.Implies(X > 5, X > 4), z3.Implies(X > 9, X > 4), X > 0, never)
    assert settle(says(claim, X > 0, X < 8), 10).result == Proved(2, 2)


def test_a_statement_whose_premises_never_hold_is_unknown():
    result = settle(says(z3.Implies(X > 9, X > 10), X < 8), 10).result
    assert result == Unknown("the premise of every part excludes the hypotheses, so that nothing is said")


def test_a_statement_without_obligations_proves_nothing():
    assert settle(Statement("nothing", list), 10).result == Unknown("there is nothing to prove")


def test_what_z3_cannot_decide_in_time_is_unknown():
    x, y, z = z3.Ints("x y z")
    cubes = x * x * x + y * y * y != z * z * z
    start = time.process_time()
    result = settle(says(cubes, x > 0, y > 0, z > 0), 0.2).result
    assert isinstance(result, Unknown)
    assert result.why.startswith("x: z3 says ")
    assert time.process_time() - start < 2, "z3's own clock is only a guard"


def test_the_time_of_other_processes_does_not_count():
    """A wait stands for a machine that does other work too."""

    def waiting(seconds_left, journal):
        time.sleep(0.5)
        return Outcome(Count("waits", 1, 1, 1, 0.0), None if seconds_left() > 0 else "the time is up")

    assert isinstance(settle(Statement("waits", lambda: [Enumeration("waits", waiting)]), 0.4).result, Proved)


def test_the_time_of_this_process_counts():
    def working(seconds_left, journal):
        while seconds_left() > 0:
            pass
        return Outcome(Count("works", 1, 1, 1, 0.0), "the time is up")

    result = settle(Statement("works", lambda: [Enumeration("works", working)]), 0.1).result
    assert result == Unknown("works is open: the time is up")


def test_z3_is_given_up_along_a_path_when_the_time_is_up():
    x, y, z = z3.Ints("x y z")

    def asking(seconds_left, journal):
        path = Path((), Stack(seconds_left))
        path.add(x * x * x + y * y * y == z * z * z, x > 0, y > 0, z > 0)
        with pytest.raises(Undecided) as undecided:
            path.check()
        return Outcome(Count("asks", 1, 1, 1, 0.0), str(undecided.value))

    result = settle(Statement("asks", lambda: [Enumeration("asks", asking)]), 0.2).result
    assert result == Unknown("asks is open: the time is up")


def test_a_limit_may_be_longer_than_z3_can_count():
    assert settle(TRUE, 1e308).result == Proved(1)


INTERRUPTED = """
import os, signal, threading, z3
from gomboc.checker.prove.lemma import Obligation, Statement
from gomboc.checker.prove.runner import settle

x, y, z = z3.Ints("x y z")
cubes = Obligation("cubes", x * x * x + y * y * y != z * z * z, (x > 0, y > 0, z > 0))
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    print(settle(Statement("Fermat's", lambda: [cubes]), 60).result)
except KeyboardInterrupt:
    print("stopped")
"""


def test_an_interrupt_stops_z3_and_is_not_taken_for_its_answer():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "stopped\n"


def test_a_refutation_is_replayed():
    confirmed = settle(says(X > 0, holds=False, replay=lambda values: Replayed("above", "below")), 10)
    assert confirmed.result.replayed == Replayed("above", "below")
    assert confirmed.as_meant()


def test_of_many_refutations_one_that_the_specification_confirms_is_taken():
    """Which of them z3 finds first depends on what it was asked before: here that one is of no system."""
    seen = []

    def replay(values):
        seen.append(values)
        return Replayed(seen[0], values)

    result = settle(says(X < 0, X > -100, X < 100, replay=replay), 10).result
    assert isinstance(result, Refuted)
    assert result.confirmed()
    assert result.values == seen[-1] != seen[0]


def test_a_refutation_that_the_specification_contradicts_is_not_as_meant():
    contradicted = says(X > 0, holds=False, replay=lambda values: Replayed("above", "above"))
    assert not settle(contradicted, 10).as_meant()
    assert code(TRUE, contradicted) == VIOLATED


@pytest.mark.parametrize(
    ("statement", "contrast", "expected"),
    [
        (TRUE, FALSE, HOLDS),
        (FALSE, TRUE, HOLDS),
        (says(X > 0), FALSE, VIOLATED),
        (says(X + 1 > X, holds=False), TRUE, VIOLATED),
        (TRUE, says(X + 1 > X, holds=False), VIOLATED),
        (TRUE, Statement("nothing", list, holds=False), UNKNOWN),
        (Statement("nothing", list), FALSE, UNKNOWN),
        (says(X > 0), Statement("nothing", list, holds=False), VIOLATED),
    ],
)
def test_the_exit_code_says_whether_all_is_as_meant(statement, contrast, expected):
    assert code(statement, contrast) == expected


def text(*statements):
    finding = prove(lemma(*statements), 10)
    return [line.replace(f"{finding.seconds:.1f} s", "S") for line in lines(finding)]


LIMITS = ["  by hand: no step", "  left out: all else", "  tied by samples, not by proof, to: builtins.abs"]


def test_a_proved_lemma_says_what_z3_has_not_proved():
    assert text(TRUE, FALSE) == [
        "small: proved, 1 part (all x; S)",
        "  it is said [nowhere; about the specification]",
        "  negative control refuted, as expected",
        *LIMITS,
    ]


def test_before_it_is_proved_it_says_the_same_of_itself():
    lines = list(description(describe(lemma(TRUE, FALSE))))
    assert lines == [
        "small: to be proved (all x)",
        "  it is said [nowhere; about the specification]",
        "  to be refuted: it is said",
        *LIMITS,
    ]


def test_a_refuted_claim_shows_its_counterexample_and_what_holds_instead():
    assert text(FALSE, TRUE) == [
        "small: refuted, as expected (all x; S)",
        "  it is said [nowhere; about the specification]",
        '  counterexample (x): {"x":"0"}',
        "  proved, 1 part: it is said",
        *LIMITS,
    ]


def test_what_is_not_as_meant_is_said_in_capitals():
    proved = says(X + 1 > X, holds=False)
    contradicted = says(X > 0, holds=False, replay=lambda values: Replayed(1, 1))
    assert text(says(X > 0), proved)[0] == "small: REFUTED, though it should hold (all x; S)"
    assert text(proved, TRUE)[0] == "small: PROVED, 1 PART, THOUGH IT SHOULD BE REFUTED (all x; S)"
    assert text(contradicted, TRUE)[0] == "small: REFUTED BY THE ENCODING ONLY, not by the specification (all x; S)"
    assert text(Statement("nothing", list), FALSE)[0] == "small: UNKNOWN (all x; S)"


def test_the_summary_names_what_is_not_as_meant():
    right, wrong = prove(lemma(TRUE, FALSE), 10), prove(lemma(says(X > 0), FALSE), 10)
    assert summary([right]) == "1 lemma in 0 s: 1 proved, 0 refuted; all as expected, including negative controls."
    assert summary([right, wrong]).endswith("1 proved, 1 refuted; not as expected: small.")


def test_an_unknown_lemma_is_a_usage_error_that_says_what_there_is():
    with pytest.raises(UsageError) as refused:
        choose_lemmas(("no_such_lemma",))
    near = nearest("no_such_lemma", [lemma.name for lemma in find_lemmas()])
    assert str(refused.value) == f"There is no lemma 'no_such_lemma'; {near}; gomboc prove --list lists all."


def test_a_lemma_named_twice_is_proved_once():
    assert [chosen.name for chosen in choose_lemmas(("labels_lie_midway",) * 2)] == ["labels_lie_midway"]


def test_without_z3_the_usage_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr("gomboc.checker.prove.registry.find_spec", lambda name: None)
    known_lemmas.cache_clear()
    with pytest.raises(UsageError) as refused:
        find_lemmas()
    known_lemmas.cache_clear()
    assert str(refused.value) == "gomboc prove needs the package z3: pip install 'gomboc[prove]'."
