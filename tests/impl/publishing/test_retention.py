from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.publishing.retention import Retention
from tests.impl.publications import made

SAID = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 6), st.sampled_from("xyz")), max_size=30)


def top(said, limit):
    """The highest entries of each publisher, by number and key."""
    kept = set()
    for publisher in {numbered[0] for numbered in said}:
        kept |= set(sorted((entry for entry in set(said) if entry[0] == publisher), key=rank)[-limit:])
    return kept


def rank(entry):
    publisher, number, payload = entry
    return number, made(number, publisher, payload, bits=64).key


@given(SAID, st.integers(1, 4), st.data())
def test_what_is_released_is_what_is_not_among_the_highest(said, limit, data):
    keeping, stored = Retention(limit), {}
    for publisher, number, payload in dict.fromkeys(said):
        publication = made(number, publisher, payload, bits=64)
        keeping.add(publication)
        stored[publication.key] = (publisher, number, payload)
        if data.draw(st.booleans()):
            for key in keeping.release():
                del stored[key]
    for key in keeping.release():
        del stored[key]
    assert set(stored.values()) == top(set(said), limit)


@given(SAID, st.integers(1, 4), st.tuples(st.sampled_from("ab"), st.integers(0, 6), st.just("new")))
def test_what_is_excluded_would_be_released_at_once(said, limit, new):
    keeping = Retention(limit)
    for publisher, number, payload in dict.fromkeys(said):
        keeping.add(made(number, publisher, payload, bits=64))
    publisher, number, payload = new
    assert keeping.excludes(made(number, publisher, payload, bits=64)) == (new not in top({*said, new}, limit))


@given(SAID, SAID, st.integers(1, 4))
def test_what_is_kept_of_a_union_is_what_is_kept_of_the_kept_parts(one, other, limit):
    assert top({*one, *other}, limit) == top(top(one, limit) | top(other, limit), limit)


def test_only_one_publisher_may_be_looked_at():
    keeping = Retention(1)
    for publisher in "ab":
        for number in (1, 2):
            keeping.add(made(number, publisher, bits=64))
    assert keeping.release_of("a") == [made(1, "a", bits=64).key]
    assert keeping.release() == [made(1, "b", bits=64).key]


def test_a_number_that_is_used_again_and_again_takes_no_more_room():
    keeping = Retention(2)
    for payload in range(100):
        keeping.add(made(7, "a", str(payload), bits=64))
    assert len(keeping.release()) == 98
