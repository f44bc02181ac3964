"""The pinned models of Scribe: what is on its way in them, and the promise that its negative control breaks."""

from gomboc.checker.judge.verdict import Violated
from gomboc.spec.protocols.scribe.models import any_edge_message
from gomboc.spec.protocols.scribe.space import names
from gomboc.spec.protocols.scribe.state import Subscribe
from tests.spec.protocols.exploring import explored, in_process_of

pytestmark = in_process_of("scribe")


def test_messages_along_edges_are_counted_and_each_stands_once():
    """Between two of three nodes, either way: a Subscribe of no, one or two subscribers, a Leave and a Heartbeat."""
    messages = any_edge_message(names(3)).values
    assert len(messages) == len(set(messages)) == 3 * 2 * (3 + 1 + 1)
    assert {message.count for _, message in messages if isinstance(message, Subscribe)} == {0, 1, 2}


def test_without_a_handover_the_last_copy_is_lost():
    violated = {
        item.promise for item in explored("scribe", "no_handover").findings if isinstance(item.verdict, Violated)
    }
    assert violated == {"nothing_is_lost"}
