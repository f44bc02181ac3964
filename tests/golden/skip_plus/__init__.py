"""The golden traces of Skip+."""

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden.skip_plus.negatives import ALTERATIONS
from tests.golden.skip_plus.starts import V, W, Y, Z
from tests.golden.telling import HonestRun, TimeoutCase, negatives_of, starts_of

STARTS = starts_of("skip_plus")
BOUNDED = {**STARTS["about"], "parameters": {"most_names": 1}}

COMINGS_AND_GOINGS = (
    PlannedCommand(1, Z, "Join", {"contact": V}),
    PlannedCommand(6, Y, "Leave"),
    PlannedCommand(10, W, "Crash"),
)

STORIES = {
    "two_of_which_one_knows_the_other": HonestRun(STARTS["two"], 1),
    "five_with_the_same_string": HonestRun(STARTS["equal"], 1),
    "six_in_a_line": HonestRun(STARTS["line"], 1),
    "six_in_a_star": HonestRun(STARTS["star"], 1),
    "one_name_in_a_message": HonestRun(BOUNDED, 1, (PlannedCommand(12, W, "Leave"),)),
    "corrupted_memories_and_messages": HonestRun(STARTS["corrupted"], 1),
    "the_same_without_rounds": HonestRun({**STARTS["corrupted"], "parameters": {"synchronous": False}}, 1),
    "departed_nodes_are_known": HonestRun(STARTS["departed"], 1),
    "one_joins_one_leaves_one_crashes": HonestRun(STARTS["right"], 1, COMINGS_AND_GOINGS),
    "one_crashes_and_comes_back": HonestRun(
        STARTS["right"], 2, (PlannedCommand(2, W, "Crash"), PlannedCommand(3, W, "Join", {"contact": Y}))
    ),
}

RUNS = {
    **STORIES,
    "about": HonestRun(STARTS["about"], 3),
    "about_otherwise": HonestRun(STARTS["about"], 1),
    "bounded": HonestRun(BOUNDED, 1),
    "right": HonestRun(STARTS["right"], 5),
}
NEGATIVES = negatives_of("skip_plus", ALTERATIONS, RUNS)

HASTE = TimeoutCase(
    "Six nodes in a line, which are not right after as many rounds as the header allows; nothing is wrong else.",
    STARTS["line"],
    4,
)
