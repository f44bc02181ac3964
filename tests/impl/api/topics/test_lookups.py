from types import SimpleNamespace

import pytest

from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.topics.lookups import Lookups
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.publishing.port import Lookups as Questions


def lookups(port, commands, parameters="P"):
    """The lookups of a node that carries out commands by keeping them, and refuses nothing else."""
    host = SimpleNamespace(command=lambda *command: commands.append(command))
    requests = SimpleNamespace(
        require_text=lambda topic, text: None, refusal=lambda topic, reason, says: RefusedError(reason, says)
    )
    return Lookups(host, SimpleNamespace(port=SimpleNamespace(lookups=port), parameters=parameters), requests)


def test_all_that_wait_for_a_place_of_a_topic_are_asked_for_and_answered_once_and_in_order():
    commands, heard = [], []
    port = Questions(
        lambda parameters, key: f"{parameters}{len(key)}",
        lambda position: f"find {position}",
        lambda content: content if isinstance(content, tuple) else None,
    )
    waiting = lookups(port, commands)
    for topic, key in [("a", "x"), ("a", "yy"), ("b", "x"), ("a", "z")]:
        waiting.ask(topic, key, lambda key, owner, topic=topic: heard.append((topic, key, owner)))
    assert commands == [("a", "find P1"), ("a", "find P2"), ("b", "find P1"), ("a", "find P1")]
    assert not waiting.take("a", "a publication")
    assert waiting.take("a", ("P1", "ann"))
    assert waiting.take("a", ("P1", "ben")), "it is an answer, though no lookup waits for it"
    assert heard == [("a", "x", "ann"), ("a", "z", "ann")]
    waiting.forget("a")
    waiting.take("a", ("P2", "ann"))
    waiting.take("b", ("P1", "cai"))
    assert heard[2:] == [("b", "x", "cai")]


def test_where_no_key_has_an_owner_nothing_is_asked_and_nothing_is_an_answer():
    commands = []
    waiting = lookups(overlay("skip_ring", {"key_bits": 8}).port.lookups, commands)
    with pytest.raises(RefusedError) as error:
        waiting.ask("a", "x", print)
    assert (error.value.reason, commands, waiting.take("a", ("P1", "ann"))) == (Reason.CANNOT_LOOK_UP, [], False)
