"""Fewer nodes: remove some from the trace and from the states of all others, or merge two into one."""

from collections.abc import Iterator, Set
from typing import Any

from gomboc.checker.shrink.case import TraceCase, Value
from gomboc.checker.shrink.schedule import without_stretches


def without_nodes(case: TraceCase, fixed: Set[str]) -> Iterator[TraceCase]:
    """The trace without some nodes, except the fixed ones: many first."""
    names = [name for name in case.header["roles"] if name not in fixed]
    for rest in without_stretches(names):
        gone = frozenset(names) - frozenset(rest)
        for whole in (True, False):
            yield forgotten(case, gone, whole)


def merged_nodes(case: TraceCase, fixed: Set[str]) -> Iterator[TraceCase]:
    """The trace in which every reference to a node becomes one to another node of its role."""
    roles = case.header["roles"]
    for gone in roles:
        for heir in roles:
            if gone not in fixed and heir != gone and roles[heir] == roles[gone]:
                yield _renamed(_without(case, frozenset([gone])), gone, heir)


def forgotten(case: TraceCase, gone: frozenset[str], whole: bool) -> TraceCase:
    """The trace without those nodes, their steps, messages to them, and references to them.

    A list that names one of them is removed, if it is an item of another list; else it becomes null, if `whole`, and
    loses the name otherwise: such a list may be a pair, of a label and a name, or a list of names.
    """
    left = _without(case, gone)
    states = {name: _forget(state, gone, whole) for name, state in left.header["states"].items()}
    messages = [{**sent, "message": _forget(sent["message"], gone, whole)} for sent in left.header["messages"]]
    header = {**left.header, "states": states, "messages": messages}
    return TraceCase(header, tuple(_step(step, gone, whole) for step in left.steps))


def _without(case: TraceCase, gone: frozenset[str]) -> TraceCase:
    """The trace without those nodes' roles, states and steps, and without messages to them."""
    header = {
        **case.header,
        "roles": {name: role for name, role in case.header["roles"].items() if name not in gone},
        "states": {name: state for name, state in case.header["states"].items() if name not in gone},
        "messages": [sent for sent in case.header["messages"] if sent["to"] not in gone],
    }
    return TraceCase(header, tuple(step for step in case.steps if step["node"] not in gone))


def _step(step: Value, gone: frozenset[str], whole: bool) -> Value:
    sent = [
        {**message, "message": _forget(message["message"], gone, whole)}
        for message in step["sent"]
        if message["to"] not in gone
    ]
    others = {key: _forget(value, gone, whole) for key, value in step.items() if key not in ("node", "sent")}
    return {"node": step["node"], **others, "sent": sent}


def _forget(value: Any, gone: frozenset[str], whole: bool) -> Any:
    if isinstance(value, str):
        return None if value in gone else value
    if isinstance(value, dict):
        return {key: _emptied(item, gone, whole) for key, item in value.items() if key not in gone}
    if isinstance(value, list):
        return [_forget(item, gone, whole) for item in value if not _names(item, gone)]
    return value


def _emptied(value: Any, gone: frozenset[str], whole: bool) -> Any:
    return None if whole and isinstance(value, list) and _names(value, gone) else _forget(value, gone, whole)


def _names(value: Any, gone: frozenset[str]) -> bool:
    """Whether it is one of those names, or a list with one of them in it."""
    if isinstance(value, str):
        return value in gone
    return isinstance(value, list) and any(isinstance(item, str) and item in gone for item in value)


def _renamed(case: TraceCase, gone: str, heir: str) -> TraceCase:
    states = {name: _rename(state, gone, heir) for name, state in case.header["states"].items()}
    header = {**case.header, "states": states, "messages": _rename(case.header["messages"], gone, heir)}
    return TraceCase(header, tuple(_rename(step, gone, heir) for step in case.steps))


def _rename(value: Any, gone: str, heir: str) -> Any:
    if isinstance(value, str):
        return heir if value == gone else value
    if isinstance(value, dict):
        return {key: _rename(item, gone, heir) for key, item in value.items()}
    if isinstance(value, list):
        return [_rename(item, gone, heir) for item in value]
    return value
