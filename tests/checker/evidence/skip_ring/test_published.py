"""A ring of two that publishes: its rules keep the tries equal, and mistakes in them do not."""

from functools import cache

import pytest
from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.encodings.published import OTHER, published
from gomboc.checker.prove.closure.cases import Case, Runs
from gomboc.checker.prove.closure.stand_ins import Caches, Installed
from gomboc.spec import Outcome, Send
from gomboc.spec.publishing import exchange
from gomboc.spec.publishing.exchange import CheckAndPublish, Publish

ROOTS = ("gomboc.spec",)


@cache
def caches():
    """Those of the specification, looked for once."""
    return Caches(ROOTS)


def tried(kind, stand_ins=()):
    """A message of that kind in each legitimate state of the ring, with those functions in the place of others."""

    def world(path):
        made = published(path, pair=True)
        return replace(made, stand_ins={**made.stand_ins, **dict(stand_ins)})

    return Runs(world, Installed(ROOTS), caches(), lambda: 60.0).tried(Case("subscriber", kind), ((),), 1)


def test_an_answer_of_publications_keeps_the_tries_equal():
    done = tried(Publish)
    assert (done.open, done.broken) == (None, None)
    assert done.satisfiable > 0


def believing(u, offered, parameters):
    """A mistake: what is offered is stored unseen."""
    del parameters
    return Outcome(replace(u, publications=tuple(sorted({*u.publications, *offered}))))


def inventing(u, me, message, inner, parameters, choice):
    """A mistake: a request is answered by what nobody holds."""
    del me, inner, parameters, choice
    return Outcome(u, (Send(message.sender, Publish((OTHER,))),))


@pytest.mark.parametrize(
    ("kind", "rule", "mistake", "conjunct"),
    [
        (Publish, exchange.take_in, believing, "publications_are_valid"),
        (CheckAndPublish, exchange.check_and_publish, inventing, "nothing_new_in_flight"),
    ],
)
def test_a_mistake_in_a_rule_breaks_a_conjunct(kind, rule, mistake, conjunct):
    assert conjunct in tried(kind, ((rule, mistake),)).broken.result.broken
