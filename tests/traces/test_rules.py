"""Every rule is in a golden trace that holds, and broken in one that does not; and schemas know every kind and key."""

import json
from typing import Any, NamedTuple

import msgspec
import pytest

from gomboc.spec.core.registry import find_protocol
from gomboc.spec.protocols.chord import cited as chord
from gomboc.spec.protocols.delta_fault_tolerance import rules as delta
from gomboc.spec.protocols.hyparview import cited as hyparview
from gomboc.spec.protocols.skip_plus.rules import RULES_BY_SLIDE
from tests.golden.make import folder
from tests.traces.lines import LINES
from tests.traces.reading import broken_in_the_others, fired_in_those_that_hold, kinds_of, schema


def names(*cited: Any) -> frozenset[str]:
    return frozenset(each.name for each in cited)


class Rules(NamedTuple):
    """The rules of a protocol that traces comprise, and of these those that none breaks."""

    named: frozenset[str]
    unbroken: frozenset[str] = frozenset()


RULES = {
    # A trace cites the creator of a ring as a joiner, and a node that looks up a finger as one that stabilises.
    "chord": Rules(
        names(
            *chord.RULES.values(),
            *(chord.STABILISED, chord.REFRESHED, chord.ASKED_IN, chord.SLEPT),
            *(chord.PLACED, chord.BOUNCED, chord.UNHEARD, chord.BEGUN),
        ),
        names(chord.BEGUN, chord.REFRESHED),
    ),
    # Refused and sleeping nodes have no effect.
    "delta_fault_tolerance": Rules(
        names(
            *(rule.cited for rule in delta.RULES.values()),
            *(rule.cited for rule in (delta.ASK_AGAIN, delta.AUDIT, delta.IDLE, delta.REFUSED, delta.SLEPT)),
        ),
        names(delta.REFUSED.cited, delta.SLEPT.cited),
    ),
    # All but `sleep`: a trace has no timeouts of nodes that are asleep.
    "hyparview": Rules(
        names(
            *hyparview.RULES.values(),
            *(hyparview.PERIODIC, hyparview.ASKS_IN, hyparview.LET_IN, hyparview.OUTSIDE, hyparview.BOUNCED),
        )
    ),
    "skip_plus": Rules(
        names(*RULES_BY_SLIDE.values())
        | {"end_round", "absent_timeout", "collect", "bounce", "lose", "join", "leave", "crash"}
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_every_rule_is_in_a_trace_that_holds(name):
    assert fired_in_those_that_hold(name) == RULES[name].named


@pytest.mark.parametrize("name", ["chord", "delta_fault_tolerance", "hyparview"])
def test_every_rule_with_an_effect_and_every_promise_over_states_is_broken_in_one(name):
    named, unbroken = RULES[name]
    assert broken_in_the_others(name) >= (named - unbroken) | names(*find_protocol(name).promises.always)


@pytest.mark.parametrize("name", ["chord", "hyparview", "skip_plus"])
def test_the_schema_knows_every_kind_key_and_parameter(name):
    protocol, definitions = find_protocol(name), schema(name)["$defs"]
    (state,) = protocol.vocabulary.roles.values()
    fields = list(state.__struct_fields__)
    assert list(definitions["Node"]["properties"]) == fields
    assert definitions["Node"]["required"] == (["status"] if name == "hyparview" else fields)
    parameters = schema(name)["then"]["properties"]["parameters"]["properties"]
    assert list(parameters) == list(protocol.variants.parameters)
    for which, union in (("message", protocol.vocabulary.message), ("command", protocol.vocabulary.command)):
        assert kinds_of(schema(name), which) == [kind.__struct_config__.tag for kind in union.__args__]
    if name == "skip_plus":
        assert list(msgspec.to_builtins(state())) == fields
    if name != "hyparview":
        for kind in protocol.vocabulary.message.__args__:
            assert definitions[kind.__name__]["required"] == ["kind", *kind.__struct_fields__]


def test_the_good_lines_of_chord_have_every_kind_and_key():
    vocabulary = find_protocol("chord").vocabulary
    for union, known in ((vocabulary.message, LINES["chord"].messages), (vocabulary.command, LINES["chord"].commands)):
        kinds = [[kind.__struct_config__.tag, "kind", *kind.__struct_fields__] for kind in union.__args__]
        assert [[line["kind"], *line] for line in known] == kinds


def test_every_kind_of_message_command_and_delivery_of_hyparview_is_in_a_trace():
    text = "".join(path.read_text() for path in folder("hyparview").glob("*.ok.jsonl"))
    vocabulary = find_protocol("hyparview").vocabulary
    kinds = (*vocabulary.message.__args__, *vocabulary.command.__args__)
    unseen = [kind.__name__ for kind in kinds if f'"kind":"{kind.__struct_config__.tag}"' not in text]
    assert unseen == []
    assert '"kind":"Peers"' in text
    assert '"kind":"Heard"' in text
    assert all(json.loads(line) for line in text.splitlines())
