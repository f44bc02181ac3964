"""Reachability between states, by sweeps over columns."""

from collections.abc import Callable

import numpy as np

from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.questions.bounds import go_on
from gomboc.checker.explore.table.columns import Column, Transitions
from gomboc.checker.explore.table.sorted_set import Array


def reaching(built: Transitions, goals: Array, insist: Callable[[], None] = go_on, owed: bool = True) -> Array:
    """For each state, whether one of those marked in `goals` can be reached from it.

    With `owed`, only by transitions that are owed. `insist` is called repeatedly, and may raise.
    """
    columns = [column for column in built.columns if column.owed or not owed]
    reached = goals.copy()
    left = np.flatnonzero(~reached)
    while len(left):
        insist()
        leads = np.zeros(len(left), bool)
        for column in columns:
            # By passes over what is left: no column is inverted, which would need as much memory again.
            targets = column.targets[left]
            leads |= reached[targets] & (targets >= 0)
        if not leads.any():
            break
        reached[left[leads]] = True
        left = left[~leads]
    return reached


def opening(built: Transitions) -> Array:
    """The states with a transition to an unexplored target."""
    opening = np.zeros(built.count, bool)
    for column in built.columns:
        opening |= column.targets == BEYOND
    return opening


def undisturbed(built: Transitions) -> list[Column]:
    """The transitions without commands that may end legitimacy."""
    return [column for column in built.columns if not column.disturbs]


def leaving(built: Transitions, inside: Array) -> Array:
    """The states marked in `inside` with a transition out, as a mask; commands that disturb do not count."""
    leaving = np.zeros(built.count, bool)
    inner = np.flatnonzero(inside)
    for column in undisturbed(built):
        targets = column.targets[inner]
        leaving[inner[(targets >= 0) & ~inside[targets]]] = True
    return leaving


def led_out(built: Transitions, state: int, inside: Array) -> int:
    """A state not marked in `inside` that is the target of a transition from the given state, which has one."""
    targets = (int(column.targets[state]) for column in undisturbed(built))
    return next(target for target in targets if target >= 0 and not inside[target])


def longest(built: Transitions, region: Array, insist: Callable[[], None] = go_on) -> int | None:
    """The maximal number of steps until a run leaves the marked region; None if there is no such number.

    There is none if the region has a cycle, a state in which nothing is enabled, or a transition beyond the bound.
    """
    if len(stopping(built, region)) or (region & opening(built)).any():
        return None
    inside, left, steps = region.copy(), np.flatnonzero(region), 0
    while len(left):
        insist()
        leads = np.zeros(len(left), bool)
        for column in built.columns:
            targets = column.targets[left]
            leads |= (targets >= 0) & inside[targets]
        if leads.all():
            return None
        inside[left[~leads]] = False
        left, steps = left[leads], steps + 1
    return steps


def stopping(built: Transitions, region: Array) -> Array:
    """The states of a region in which no transition that is owed is enabled."""
    inner = np.flatnonzero(region)
    enabled = np.zeros(len(inner), bool)
    for column in built.columns:
        enabled |= column.owed & (column.targets[inner] >= BEYOND)
    return inner[~enabled]


def nearest(built: Transitions, goals: Array) -> list[int]:
    """The states on a shortest path from an initial state to one marked in `goals`."""
    parents = np.full(built.count, -1, np.int32)
    parents[built.starts] = built.starts
    frontier = built.starts
    while len(frontier):
        hits = frontier[goals[frontier]]
        if len(hits):
            return _back(parents, int(hits[0]))
        frontier = _advance(built, parents, frontier)
    raise AssertionError("every state of the graph was reached from an initial one")


def _advance(built: Transitions, parents: Array, frontier: Array) -> Array:
    later = []
    for column in built.columns:
        targets = column.targets[frontier]
        fresh = np.flatnonzero((targets >= 0) & (parents[targets] < 0))
        # Two sources of one target: either is a parent at the same depth, so the path stays a shortest one.
        parents[targets[fresh]] = frontier[fresh]
        later.append(np.unique(targets[fresh]))
    return np.concatenate(later)


def _back(parents: Array, state: int) -> list[int]:
    path = [state]
    while parents[path[-1]] != path[-1]:
        path.append(int(parents[path[-1]]))
    return path[::-1]
