"""A trace in the Informal Trace Format, which the viewers of Quint and Apalache read.

Source: Apalache, ADR 015 (https://apalache-mc.org/docs/adr/015adr-trace.html)
"""

from typing import Any

import msgspec

from gomboc.checker.explore.results.itf import encoded
from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.report.formats.events import EventLog
from gomboc.checker.report.text import headline


def itf(story: EventLog, judgement: Judgement) -> str:
    """States are all nodes and the messages in flight; `action` is the step that led to it, null before the first."""
    header = story.header
    states: dict[str, Any] = dict(header.states)
    in_flight = {sent.id: sent for sent in header.messages}
    state_objects = [_state(0, None, states, in_flight)]
    for event in story.events:
        step = event.step
        if isinstance(step.took, int):
            in_flight.pop(step.took, None)
        if step.node in states:
            states[step.node] = step.state
        in_flight |= {sent.id: sent for sent in step.sent}
        state_objects.append(_state(event.number, {"node": event.node, "took": event.what}, states, in_flight))
    meta = {"format": "ITF", "source": story.name, "description": headline(judgement)}
    whole = {"#meta": meta, "vars": ["action", "nodes", "in_flight"], "states": state_objects}
    return msgspec.json.format(msgspec.json.encode(whole), indent=1).decode() + "\n"


def _state(number: int, action: Any, states: dict[str, Any], in_flight: dict[int, Any]) -> dict[str, Any]:
    flying = [{"id": sent.id, "to": sent.to, "message": _plain(sent.message)} for sent in in_flight.values()]
    nodes = {"#map": [[name, _plain(local)] for name, local in states.items()]}
    return {"#meta": {"index": number}, "action": _plain(action), "nodes": nodes, "in_flight": flying}


def _plain(value: Any) -> Any:
    """The value as the format represents it: objects are records, and null, which it lacks, is the text "none"."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, dict):
        return {key: _plain(part) for key, part in plain.items()}
    if isinstance(plain, list | tuple):
        return [_plain(part) for part in plain]
    return "none" if plain is None else encoded(plain)
