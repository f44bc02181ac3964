"""The pinned models of the directory notice a wrong rule."""

from msgspec.structs import replace

from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.spec.core.model import Outcome, Received
from gomboc.spec.protocols.topic_directory import PROTOCOL
from gomboc.spec.protocols.topic_directory.models import ABOVE, BELOW, directory
from gomboc.spec.protocols.topic_directory.rules import key_of, react, responsible
from gomboc.spec.protocols.topic_directory.space import names
from gomboc.spec.protocols.topic_directory.state import Deny
from tests.plugins.promises import named_verdicts
from tests.spec.protocols.exploring import run


def test_one_topic_is_at_the_least_node_and_one_at_the_greatest():
    for nodes in (2, 3):
        every = names(nodes)
        assert [responsible(every, key_of(topic)) for topic in (BELOW, ABOVE)] == [every[0], every[-1]]


def test_that_contacts_which_deny_it_are_kept_is_noticed():
    def trusting(me, local, taken, choice):
        is_denial = isinstance(taken, Received) and isinstance(taken.message, Deny)
        return Outcome(local) if is_denial else react(me, local, taken, choice)

    wrong = replace(directory(BELOW, 2, 1, 0, 8), protocol=PROTOCOL.changed(react=trusting))
    assert named_verdicts(run(wrong)) == {
        "closure": Holds,
        "convergence from": Violated,
        "convergence every": Violated,
        "not_vacuous": Holds,
        "canonical": Holds,
    }
