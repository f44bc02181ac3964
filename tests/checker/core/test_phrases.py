"""Numbers with their nouns."""

import pytest

from gomboc.checker.core.phrases import counted, listed, nearest, suggestion


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 rounds"), (1, "1 round"), (2, "2 rounds"), (191_661, "191,661 rounds")]
)
def test_one_thing_is_one_and_anything_else_are_several(number, said):
    assert counted(number, "round") == said


def test_of_a_long_list_the_nearest_names_are_shown():
    known = ["theorem_1", "claim_7", "theorem_13", "lemma_2"]
    assert nearest("theorem_12", known, 2) == "the nearest of 4 are: theorem_1, theorem_13"


def test_of_no_names_it_is_said_that_there_are_none():
    assert nearest("theorem_12", []) == "there are none"
    assert listed("it has", ()) == "it has none"
    assert listed("it has", ("a", "b")) == "it has: a, b"


def test_a_word_may_have_a_plural_of_its_own():
    assert (counted(1, "class", "classes"), counted(2, "class", "classes")) == ("1 class", "2 classes")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("skip_rng", " Did you mean 'skip_ring'?"), ("cord", " Did you mean 'chord'?"), ("kademlia", ""), ("", "")],
)
def test_a_misspelt_name_suggests_the_nearest_one(name, sentence):
    assert suggestion(name, ["chord", "skip_plus", "skip_ring"]) == sentence
