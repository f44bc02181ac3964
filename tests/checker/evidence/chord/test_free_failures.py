"""Runs in which principals fail freely: the promises that they break, and their stated domain."""

from msgspec.structs import replace

from gomboc.checker.errata.scene import last
from gomboc.checker.evidence.chord.experiments.free_failures import DISORDERED, FREELY, breaks, random_run
from gomboc.checker.evidence.chord.experiments.scenes import protocol
from gomboc.spec.core.model import Commanded
from gomboc.spec.types.kinds import Crash

RUN = DISORDERED.script()


def test_a_stale_list_goes_past_the_member_that_joins():
    assert last(FREELY, RUN).states["n003"].successors == ("n001", "n002", "n004")
    assert breaks(FREELY, RUN) == {"ordered_lists"}


def test_two_members_crash_and_all_lists_keep_a_live_entry():
    crashes = [turn for turn in RUN.turns if turn.taken == Commanded(Crash())]
    assert len(crashes) == 2
    assert {name: local.status for name, local in last(FREELY, RUN).states.items()} == {
        "n000": "crashed",
        "n001": "inside",
        "n002": "inside",
        "n003": "inside",
        "n004": "crashed",
    }


def test_our_assumption_forbids_the_run():
    assert breaks(protocol(DISORDERED.options), RUN) == set()


def test_a_run_whose_message_was_never_sent_is_no_run():
    assert breaks(FREELY, replace(RUN, turns=RUN.turns[1:])) == set()


def test_a_random_run_depends_on_its_seed_alone():
    runs = [random_run(FREELY, seed) for seed in range(30)]
    assert runs == [random_run(FREELY, seed) for seed in range(30)]
    assert {"ordered_lists"} in runs
