"""A ring whose supervisor has another name is the same ring: its runs hold, and nothing else is taken for it."""

from random import Random

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.spec.core.domain import count, sample
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from tests.impl.system import assert_holds

BOSS = configured(PROTOCOL, {"supervisor": "boss"})


@pytest.mark.parametrize("limits", [{}, {"key_bits": 8}], ids=["ring", "publishing"])
def test_a_disturbed_run_under_another_supervisor_holds(limits, tmp_path):
    plan = Plan(
        "skip_ring", "skip_ring", (3,), traces=1, parameters={**limits, "supervisor": "boss"}, seed=5, disturb=True
    )
    simulate_trace(plan, tmp_path, 0)
    (path,) = tmp_path.glob("*.jsonl")
    assert_holds(judge_file(path))
    text = path.read_text()
    assert '"boss":"supervisor"' in text
    assert text.count('"supervisor"') == 2, "the parameter's name, and the role"


def test_starts_are_as_many_and_have_the_name_in_every_place():
    size = Size(3, messages=2)
    space = BOSS.starts.space(size)
    assert count(space) == count(PROTOCOL.starts.space(size))
    for seed in range(20):
        start = sample(space, Random(seed))
        assert dict(start.roles)["boss"] == "supervisor"
        assert [name for name, _ in start.locals] == sorted(name for name, _ in start.locals)
        named = {name for _, value in (*start.locals, *start.in_flight) for name in BOSS.naming.named(value)}
        assert "supervisor" not in named


@pytest.mark.parametrize(
    ("roles", "says"),
    [
        ({"boss": "supervisor", "v1": "subscriber"}, None),
        (
            {"boss": "supervisor", "supervisor": "subscriber"},
            "'boss' has the place of 'supervisor', so no other node is called that",
        ),
        ({"king": "supervisor"}, "only the node 'boss' has the role 'supervisor', and not 'king'"),
    ],
)
def test_only_the_named_node_is_the_supervisor(roles, says):
    assert BOSS.naming.misnamed(roles) == says


def test_a_supervisor_without_a_name_is_refused():
    with pytest.raises(ValueError, match=r"^the supervisor is called 'a b', which is no name of a node\.$"):
        configured(PROTOCOL, {"supervisor": "a b"})
