"""The specification is asked once for each distinct local step, and looked up ever after."""

from unittest.mock import patch

import numpy as np
import pytest
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.table.model import tables as tables_module
from gomboc.checker.explore.table.model.checked_calls import outcomes
from gomboc.checker.explore.table.model.tables import IDLE, MISSING, Tables
from gomboc.checker.explore.table.search import search
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.promises import Observer
from gomboc.spec.core.protocol import Discipline
from tests.checker.explore.table.protocols import instance_of, tabled
from tests.plugins.linearisation import linearisation

CHAIN = {("a", 0, None): ((1, (("b", 10), ("b", 10))),), ("b", 0, 10): ((1, ()), (2, (("a", 11),)))}


def test_no_local_step_is_asked_for_twice():
    asked = []

    def noted(protocol, *step):
        asked.append(step)
        return outcomes(protocol, *step)

    with patch.object(tables_module, "outcomes", noted):
        explored = search(linearisation(2))
    assert len(asked) == len(set(asked)) > 10
    assert explored.extent.transitions > 100 * len(asked)


def test_a_table_holds_what_the_specification_answers():
    tables = Tables(instance_of(tabled(CHAIN)))
    assert (tables.local(0, 0), tables.local(1, 0), tables.message("b", 10)) == (0, 0, 1)
    tables.freeze()
    assert tables.rows[0][0, 0] == MISSING
    tables.fill(0, np.array([0]))
    tables.fill(1, np.array([0, 1]))
    tables.freeze()
    row = tables.rows[0][0, 0]
    assert tables.nodes[0].values[tables.after[row]] == 1
    assert [tables.messages[sent] for sent in tables.sends[:, row]] == [(1, 10), (1, 10)]
    assert tables.rows[1][0, 0] == IDLE
    first = tables.rows[1][0, tables.inputs[1]]
    assert tables.ways[first : first + 2].tolist() == [2, 2]
    assert [tables.nodes[1].values[after] for after in tables.after[first : first + 2]] == [1, 2]
    assert tables.sent[first : first + 2].tolist() == [0, 1]


def test_a_message_to_no_node_is_refused():
    stray = tabled({("a", 0, None): ((0, (("nobody", 10),)),)})
    with pytest.raises(UsageError, match=r"^A message is sent to 'nobody', which is no node of the instance\.$"):
        search(instance_of(stray))


TOGETHER = Observer("together", "Section 9", (), lambda _node, seen, _delivered: (seen, ()), whole=True)


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ({"discipline": Discipline.FIFO}, "knows no channels that keep an order"),
        ({"observers": (TOGETHER,)}, "knows no promise over what all nodes together deliver"),
    ],
)
def test_what_tables_do_not_support_is_left_to_the_plain_explorer(stated, why):
    says = rf"^The table-driven explorer {why}; explore it with --engine plain\.$"
    with pytest.raises(UsageError, match=says):
        explore(instance_of(tabled({}).changed(**stated)), "table", Question(), silent)


def test_tables_grow_with_what_is_found():
    count = {("a", state, None): ((state + 1, (("b", 100 + state),)),) for state in range(40)}
    explored = search(instance_of(tabled(count), most=1))
    tables = explored.expander.tables
    assert len(tables.nodes[0].values) == 41
    assert len(tables.messages) == 41
    assert explored.extent.states == 41 + 40


def test_a_domain_with_a_value_twice_has_one_number_for_it():
    tables = Tables(replace(instance_of(tabled({})), messages=OneOf(())))
    assert [tables.local(0, "x"), tables.local(0, "y"), tables.local(0, "x")] == [0, 1, 0]
