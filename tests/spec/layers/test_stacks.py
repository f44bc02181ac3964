"""Stacks are found in folders of protocols, by entry points, and by references."""

import pytest
from msgspec.structs import replace

from gomboc.spec.layers import stacks
from tests.checker.stacks.runs import OVER_RING, followers_known
from tests.installed import install
from tests.toys.follower import spec

OURS = "skip_plus_dissemination"
REFERENCE = "tests.toys.follower.spec:OVER_RING"


def test_ours_are_found_in_the_folder_of_their_highest_layer():
    assert OURS in stacks.stack_names()
    assert [layer.name for layer in stacks.find_stack(OURS).layers] == ["skip_plus", "topic_directory", "dissemination"]


def test_a_reference_is_registered_for_this_process_and_its_children():
    with followers_known():
        assert stacks.find_stack(OVER_RING) == spec.OVER_RING
        assert stacks.add(REFERENCE) == spec.OVER_RING
    assert OVER_RING not in stacks.stack_names()
    assert stacks.is_stack(REFERENCE)
    assert not stacks.is_stack("tests.toys.follower.spec:PROTOCOL")


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("follower", "'follower' names no stack: write package.module:STACK"),
        ("nowhere:STACK", "nowhere:STACK cannot be imported (ModuleNotFoundError: No module named 'nowhere'): fix"),
        ("tests.toys.follower.spec:NONE", "has no 'NONE', and a stack is a gomboc.spec.layers.stack.Stack"),
        ("tests.toys.follower.spec:PROTOCOL", "has 'PROTOCOL', of type Protocol, and a stack is a"),
    ],
)
def test_what_is_no_stack_is_refused_in_a_sentence(reference, says):
    with pytest.raises(stacks.UnfitStackError) as refused:
        stacks.load(reference)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": "two words"}, "is called 'two words': use letters, digits, _, . and - in its name"),
        ({"name": "skip_ring"}, f"{REFERENCE} is called 'skip_ring', as a protocol is: rename the stack"),
        ({"layers": spec.OVER_RING.layers[:1]}, "does not fit: it has no layer 'followers'; its layers are: ring"),
    ],
)
def test_a_stack_that_does_not_fit_is_refused(changes, says, monkeypatch):
    monkeypatch.setattr(spec, "OVER_RING", replace(spec.OVER_RING, **changes))
    with pytest.raises(stacks.UnfitStackError) as refused:
        stacks.load(REFERENCE)
    assert says in str(refused.value)


def test_two_stacks_of_one_name_are_refused(monkeypatch):
    monkeypatch.setattr(spec, "ASKING", replace(spec.ASKING, name=OVER_RING))
    with followers_known(), pytest.raises(stacks.UnfitStackError, match=f"two stacks are called '{OVER_RING}'"):
        stacks.stack_names()


@pytest.mark.parametrize("name", [OVER_RING, "other"])
def test_a_distribution_brings_a_stack_under_its_own_name(name, tmp_path, monkeypatch):
    install("followers", {stacks.GROUP: {name: REFERENCE}}, tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    stacks.forget()
    try:
        if name == OVER_RING:
            assert stacks.find_stack(OVER_RING) == spec.OVER_RING
        else:
            with pytest.raises(stacks.UnfitStackError, match="is installed as 'other' and calls itself"):
                stacks.stack_names()
    finally:
        monkeypatch.undo()
        stacks.forget()
