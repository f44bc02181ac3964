"""References in states, messages and commands: each one to a node is indexed."""

import pytest

from gomboc.spec.protocols.skip_plus.state import FIELDS, Gone, Join, Leave, NeighbourRanges, Node, Update
from gomboc.spec.types.kinds import Crash


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (Node(True, ("a:0",), ("b:0",), (NeighbourRanges("c:0", (("d:0", None),)),), ("e:0",)), "abcde"),
        (Update("a:0", ((None, "b:0"),), ("c:0",)), "abc"),
        (Gone("a:0", ("b:0",)), "ab"),
        (Join("a:0"), "a"),
        (Leave(), ""),
        (Crash(), ""),
    ],
)
def test_every_reference_is_named(value, names):
    assert sorted(set(FIELDS.named(value))) == [f"{name}:0" for name in names]
