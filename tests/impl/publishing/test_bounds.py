"""What a request of few bytes brings its sender, however much is held, and however often it is repeated."""

from random import Random

import msgspec
import pytest

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Received, Send
from gomboc.impl.publishing.publication import Publication
from tests.impl.publications import made

SKIP_RING = {"label": "1", "left": ["0", "l"], "right": None, "ring": None, "shortcuts": [], "wants": True}
DISSEMINATION = {"live": True, "neighbours": ["l"]}
HELD: list[Publication] = sorted(
    (made(number, payload="x" * 200, bits=64) for number in range(2_000)), key=lambda publication: publication.key
)


def holder(name, state):
    loaded = {**state, "publications": msgspec.to_builtins(HELD)}
    configured = implementation(name).configured({"key_bits": 64})
    role = next(role for role in configured.blank if role != "supervisor")
    return configured, configured.make(role, "u", loaded, Random(1))


@pytest.mark.parametrize(("name", "state"), [("skip_ring", SKIP_RING), ("dissemination", DISSEMINATION)])
def test_each_request_brings_64_kib_at_most_and_in_time_all(name, state):
    configured, core = holder(name, state)
    asked = configured.decode(b'{"kind":"CheckAndPublish","sender":"victim","tuples":[],"prefix":""}')
    brought = set()
    for _ in range(400):
        sent = [output for output in core.handle(0.0, Received(asked)) if isinstance(output, Send)]
        assert sum(len(configured.encode(output.message)) for output in sent) <= 64 * 1024
        (publications,) = (output.message.publications for output in sent)
        assert len(publications) <= 64
        brought.update(publication.key for publication in publications)
    assert len(brought) == len(HELD)


@pytest.mark.parametrize(("name", "state"), [("skip_ring", SKIP_RING), ("dissemination", DISSEMINATION)])
def test_a_message_with_more_publications_than_a_chunk_is_refused(name, state):
    configured, _ = holder(name, state)
    for count, refused in ((64, False), (65, True)):
        written = msgspec.json.encode({"kind": "Publish", "publications": HELD[:count]})
        if refused:
            with pytest.raises(Exception, match=r": it carries 65 publications, and 64 are allowed\.$"):
                configured.decode(written)
        else:
            configured.decode(written)
