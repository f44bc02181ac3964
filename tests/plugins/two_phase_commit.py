"""Two-phase commit: a transaction manager, and resource managers that prepare, commit or abort.

Source: J. Gray and L. Lamport, Consensus on transaction commit, TODS 31(1), 2006, Section 3
"""

from typing import NamedTuple

from gomboc.spec.core.model import Kind, Model, Promise

Action = tuple[str, int]
"""The kind of step, and its resource manager; -1 for the transaction manager."""


class State(NamedTuple):
    """The states of the resource managers and the transaction manager, the managers known prepared, and messages."""

    managers: tuple[str, ...]
    transaction: str
    prepared: frozenset[int]
    messages: frozenset[str]


def enabled(state: State) -> tuple[Action, ...]:
    """Every action that is possible."""
    moves: list[Action] = []
    everybody = range(len(state.managers))
    if state.transaction == "init":
        moves += [("hear_prepared", manager) for manager in everybody if f"prepared {manager}" in state.messages]
        moves += [("decide_commit", -1)] if len(state.prepared) == len(state.managers) else []
        moves.append(("decide_abort", -1))
    for manager in everybody:
        if state.managers[manager] == "working":
            moves += [("prepare", manager), ("choose_abort", manager)]
        moves += [("hear_commit", manager)] if "commit" in state.messages else []
        moves += [("hear_abort", manager)] if "abort" in state.messages else []
    return tuple(moves)


def step(state: State, action: Action) -> State:
    """The state after an action."""
    what, manager = action
    match what:
        case "hear_prepared":
            return state._replace(prepared=state.prepared | {manager})
        case "decide_commit":
            return state._replace(transaction="committed", messages=state.messages | {"commit"})
        case "decide_abort":
            return state._replace(transaction="aborted", messages=state.messages | {"abort"})
    after = {"prepare": "prepared", "choose_abort": "aborted", "hear_commit": "committed", "hear_abort": "aborted"}
    managers = (*state.managers[:manager], after[what], *state.managers[manager + 1 :])
    sent = {f"prepared {manager}"} if what == "prepare" else set()
    return state._replace(managers=managers, messages=state.messages | sent)


def is_consistent(state: State) -> bool:
    """No manager has committed while another aborted."""
    return not {"committed", "aborted"} <= set(state.managers)


def all_committed(state: State) -> bool:
    """All managers have committed."""
    return set(state.managers) == {"committed"}


def two_phase_commit(managers: int) -> Model:
    """That many resource managers, all of them working at first."""
    start = State(("working",) * managers, "init", frozenset(), frozenset())
    return Model(
        name="two_phase_commit",
        initial=lambda: [start],
        enabled=enabled,
        step=step,
        actor=lambda action: f"r{action[1]}" if action[1] >= 0 else "transaction",
        promises=(
            Promise(Kind.ALWAYS, "consistency", is_consistent, "Gray and Lamport 2006"),
            Promise(Kind.SOMETIMES, "commit", all_committed, "Gray and Lamport 2006"),
        ),
    )
