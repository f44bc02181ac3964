"""The golden traces of delta-fault-tolerance."""

from tests.golden import plain
from tests.golden.delta_fault_tolerance import starts
from tests.golden.delta_fault_tolerance.negatives import ALTERATIONS
from tests.golden.delta_fault_tolerance.starts import P1, S1
from tests.golden.telling import negatives_of, stories_of

STORIES = stories_of("delta_fault_tolerance", vars(starts))

ALTERED = {"kind": "Confirm", "sender": S1, "stream": [0, 1], "id": [P1, 0, 1]}
NEGATIVES = plain.lies(
    STORIES.runs["clients_subscribe_and_publish"], ALTERED, {"count": 9}, at_start=False
) | negatives_of("delta_fault_tolerance", ALTERATIONS, STORIES.runs)
