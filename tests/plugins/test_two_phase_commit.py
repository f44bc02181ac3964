"""Two-phase commit, explored: the number of states that every other explorer finds."""

from msgspec.structs import replace

from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.graph.lasso import replays
from gomboc.checker.judge.verdict import Holds, Violated
from tests.plugins.promises import findings, named_verdicts
from tests.plugins.two_phase_commit import two_phase_commit


def test_three_resource_managers_have_288_states():
    extent = examine(two_phase_commit(3)).extent
    assert extent.states == 288
    assert extent.starts + extent.transitions == 1_146, "others count the initial state as generated too"


def test_no_node_commits_while_another_aborts_and_every_node_may_commit():
    exploration = examine(two_phase_commit(3))
    assert named_verdicts(exploration) == {"consistency": Holds, "commit": Holds}
    assert exploration.exit_code() == 0


def test_a_manager_that_decides_without_being_told_is_found_out():
    model = two_phase_commit(3)

    def hasty(state):
        working = [index for index, at in enumerate(state.managers) if at == "prepared"]
        return (*model.enabled(state), *(("hear_commit", index) for index in working))

    careless = replace(model, enabled=hasty)
    (finding,) = findings(examine(careless), "consistency")
    assert isinstance(finding.verdict, Violated)
    assert len(finding.run.actions) == 3, "prepare, commit, and another aborts"
    assert replays(careless, finding.run)
