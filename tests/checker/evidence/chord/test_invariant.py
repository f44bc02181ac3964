"""Zave's invariant for every n: the real rules keep it, and rules with a mistake do not."""

import pytest
from msgspec.structs import replace

from gomboc.checker.evidence.chord.encodings.members import OURS
from gomboc.checker.evidence.chord.encodings.principal import invariant
from gomboc.checker.evidence.chord.lemmas.kept import PROTOCOL
from gomboc.checker.prove.settlement import Proved, Refuted
from gomboc.spec import Outcome, Send
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.state import Dead, JoinReply, JoinRequest, StabilizeReply
from tests.checker.prove.closure.settled import settled


def of_messages(kind, rules=OURS):
    """The result for messages of that kind, with lists of one entry."""
    return settled(invariant(1, rules), PROTOCOL, lambda case: case.message is kind)


@pytest.mark.parametrize("kind", [JoinRequest, JoinReply, Dead])
def test_a_message_keeps_the_invariant_in_any_state_that_has_it(kind):
    """In a thorough run, the lemma proves it of all messages, with lists of one and of two entries."""
    result = of_messages(kind)
    assert isinstance(result, Proved)
    assert (result.parts, result.vacuous) == (7, 0)


class Believing(Rules, frozen=True):
    """A mistake: any node that answers becomes the head."""

    def stabilize_reply(self, me, local, answer):
        """Takes the list of any sender."""
        return Outcome(replace(local, successors=self.shortened(me, (answer.sender, *answer.successors))))


class Generous(Rules, frozen=True):
    """A mistake: a joiner is given the place behind any node that it asks."""

    def find_successor(self, me, local, find):
        """Answers with the own list."""
        reply = self.join_reply(me, local)
        return Outcome(local, (Send(find.joiner, reply),))


class Forgetting(Rules, frozen=True):
    """A mistake: a report of any crash empties the list."""

    def handle_crash(self, me, local, node):
        """Drops all entries."""
        return replace(local, successors=())


@pytest.mark.parametrize(
    ("rules", "kind", "conjunct"),
    [
        (Believing(), StabilizeReply, "no_list_skips_a_principal"),
        (Generous(), JoinRequest, "no_list_skips_a_principal"),
        (Forgetting(), Dead, "every_list_has_a_live_entry"),
    ],
)
def test_a_rule_with_a_mistake_is_refuted_by_a_system(rules, kind, conjunct):
    result = of_messages(kind, rules)
    assert isinstance(result, Refuted)
    assert conjunct in result.replayed.found
