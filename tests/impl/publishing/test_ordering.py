from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.publishing.ordering import Missing, Ordering
from gomboc.impl.publishing.payloads import Payload, read, written
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.retention import Retention

ONE, TWO, THREE = (incarnation * 2**21 for incarnation in (1, 2, 3))


def publication(number: int, after: int | None = None, publisher: str = "ann") -> Publication:
    return Publication(f"{number:053b}", publisher, number, written(Payload("x", after=after)), publisher)


def put(ordering: Ordering, *publications: Publication, now: float = 0.0) -> list[Any]:
    """Numbers of publications that are in order, and missing ones as pairs."""
    return shown(item for one in publications for item in ordering.put(one, now))


def shown(items: Any) -> list[Any]:
    return [(item.first, item.last) if isinstance(item, Missing) else item.number for item in items]


def test_what_overtakes_waits_for_what_it_overtook():
    there = Ordering(None, None)
    assert put(there, publication(ONE + 2), publication(ONE + 1)) == []
    assert len(there) == 2
    assert put(there, publication(ONE)) == [ONE, ONE + 1, ONE + 2]
    assert len(there) == 0


def test_publishers_wait_only_for_themselves():
    there = Ordering(None, None)
    assert put(there, publication(ONE + 1), publication(ONE, publisher="ben")) == [ONE]


def test_what_retention_dropped_is_missing_at_once():
    there = Ordering(2, None)
    assert put(there, publication(ONE), publication(ONE + 4)) == [ONE]
    assert put(there, publication(ONE + 3)) == [(ONE + 1, ONE + 2), ONE + 3, ONE + 4]


def test_what_does_not_come_is_missing_when_patience_ends_and_dropped_afterwards():
    there = Ordering(None, 5.0)
    assert put(there, publication(ONE + 1), now=2.0) == []
    assert there.due == 7.0
    assert there.expire(6.9) == []
    assert shown(there.expire(7.0)) == [(ONE, ONE), ONE + 1]
    assert (there.due, put(there, publication(ONE), now=8.0)) == (None, [])


def test_a_new_incarnation_waits_for_what_its_publisher_knew():
    there = Ordering(None, None)
    assert put(there, publication(TWO, after=ONE + 1), publication(TWO + 1), publication(ONE + 1)) == []
    assert put(there, publication(ONE)) == [ONE, ONE + 1, TWO, TWO + 1]


def test_what_its_publisher_did_not_know_is_missing_if_it_comes_late():
    there = Ordering(None, None)
    assert put(there, publication(ONE), publication(TWO, after=ONE), publication(ONE + 2)) == [
        ONE,
        TWO,
        (ONE + 1, ONE + 2),
    ]
    assert put(there, publication(ONE + 1)) == []


def test_a_number_that_is_said_to_come_before_and_cannot_is_no_reason_to_wait():
    assert put(Ordering(None, None), publication(ONE, after=TWO)) == [ONE]


def test_what_a_queue_dropped_is_missing_in_its_place():
    there = Ordering(None, None)
    there.lose(publication(ONE + 1))
    there.lose(publication(ONE + 2))
    assert put(there, publication(ONE + 3)) == []
    assert put(there, publication(ONE)) == [ONE, (ONE + 1, ONE + 2), ONE + 3]


def test_all_that_is_held_back_comes_when_nothing_more_will():
    there = Ordering(None, None)
    assert put(there, publication(ONE + 1), publication(ONE + 3)) == []
    assert shown(there.flush(0.0)) == [(ONE, ONE), ONE + 1, (ONE + 2, ONE + 2), ONE + 3]


def test_a_second_payload_under_one_number_is_not_delivered():
    there = Ordering(None, None)
    assert put(there, publication(ONE), publication(ONE), publication(ONE + 2), publication(ONE + 2)) == [ONE]
    assert put(there, publication(ONE + 1)) == [ONE + 1, ONE + 2]


class Run:
    """A publisher with incarnations of some lengths, a member that holds by retention, and its reader."""

    def __init__(self, lengths: Sequence[int], knows: Sequence[bool], keep: int | None, seed: int) -> None:
        self.published: list[Publication] = []
        for incarnation, (length, known) in enumerate(zip(lengths, knows, strict=True), 1):
            latest = self.published[-1].number if self.published and known else None
            first = incarnation * 2**21
            self.published += [publication(first + index, None if index else latest) for index in range(length)]
        self.random = Random(seed)
        self.retention = None if keep is None else Retention(keep)
        self.ordering = Ordering(keep, None)
        self.stored: set[int] = set()
        self.got: list[Any] = []

    def arrive(self, arriving: Publication) -> None:
        if self.retention is not None:
            if self.retention.excludes(arriving):
                return
            self.retention.add(arriving)
            self.retention.release_of("ann")
        self.stored.add(arriving.number)
        self.got += self.ordering.put(arriving, 0.0)

    def in_any_order(self) -> "Run":
        arriving = list(self.published)
        self.random.shuffle(arriving)
        for one in arriving:
            self.arrive(one)
        return self

    @property
    def given(self) -> list[int]:
        return [item.number for item in self.got if isinstance(item, Publication)]

    @property
    def missing(self) -> list[int]:
        ranges = [range(item.first, item.last + 1) for item in self.got if isinstance(item, Missing)]
        return [number for numbers in ranges for number in numbers]


runs = st.lists(st.tuples(st.integers(1, 6), st.booleans()), min_size=1, max_size=4).flatmap(
    lambda lives: st.builds(
        Run,
        st.just([length for length, _ in lives]),
        st.just([known for _, known in lives]),
        st.none() | st.integers(1, 6),
        st.integers(0, 2**32),
    )
)


@given(runs)
def test_in_any_interleaving_with_restarts_and_retention_no_order_is_violated_and_nothing_is_lost_in_silence(run):
    run.in_any_order()
    assert run.given == sorted(set(run.given))
    assert sorted(run.missing) == sorted(set(run.missing))
    assert not set(run.given) & set(run.missing)
    assert {one.number for one in run.published} >= {*run.given, *run.missing}
    assert run.stored <= {*run.given, *run.missing}
    assert len(run.ordering) == 0


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.none() | st.integers(1, 6), st.integers(0, 2**32))
def test_where_restarts_are_linked_missing_is_exactly_what_retention_dropped(lengths, keep, seed):
    run = Run(lengths, [True] * len(lengths), keep, seed).in_any_order()
    assert run.given == sorted(run.stored)
    stored = [one for one in run.published if one.number in run.stored]
    known = [*run.stored, *(after for one in stored if (after := read(one.text).after) is not None)]
    ends = {number // 2**21: number for number in sorted(known)}
    dropped = {one.number for one in run.published} - run.stored
    assert set(run.missing) == {number for number in dropped if number <= ends.get(number // 2**21, -1)}


@pytest.mark.parametrize("keep", [None, 3])
def test_a_reader_without_patience_with_gaps_takes_whatever_comes(keep):
    there = Ordering(keep, 0.0)
    assert put(there, publication(ONE + 1), publication(ONE + 3)) == [(ONE, ONE), ONE + 1, (ONE + 2, ONE + 2), ONE + 3]
