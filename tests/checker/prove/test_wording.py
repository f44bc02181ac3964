"""The words of lemmas, in a file: what is wrong with one is said in a sentence that names the file and the lemma."""

from pathlib import Path
from random import Random

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.prove.lemma import Lemma, Sample
from gomboc.checker.prove.wording import FILE, Attempt, Proof, lemmas_of

WORDS = """
[small]
says = "It is so for {most}."
source = "nowhere"
ranges_over = "up to {most}"
by_hand = "nothing"
leaves_out = "all else"

[[small.contrasts]]
says = "It is not."
holds = false
"""
ONE = Attempt(list)


def agrees(_random: Random) -> Sample:
    return Sample(0, 0, 0)


def lemmas(folder: Path, words: str, *attempts: Attempt, name: str = "small", most: str = "most") -> tuple[Lemma, ...]:
    (folder / FILE).write_text(words)
    return lemmas_of(folder, {name: Proof(attempts, agrees, (abs,), {most: 6})})


def test_words_and_attempts_make_a_lemma(tmp_path: Path) -> None:
    (lemma,) = lemmas(tmp_path, WORDS, ONE, ONE)
    assert (lemma.name, lemma.ranges_over, lemma.about) == ("small", "up to 6", "the specification")
    assert [(one.says, one.holds) for one in (lemma.statement, *lemma.contrasts)] == [
        ("It is so for 6.", True),
        ("It is not.", False),
    ]


def test_a_lemma_without_a_proof_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=rf"^{tmp_path}/{FILE}: the lemma 'other' has no words\.$"):
        lemmas(tmp_path, WORDS, ONE, ONE, name="other")
    (tmp_path / FILE).write_text(WORDS)
    with pytest.raises(UsageError, match=rf"^{tmp_path}/{FILE}: the lemma 'small' has no proof\.$"):
        lemmas_of(tmp_path, {})


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (WORDS.replace("says", "sais"), "Object contains unknown field `sais`"),
        (WORDS.replace('source = "nowhere"', ""), "Object missing required field `source`"),
        (WORDS.replace("holds = false", 'holds = "no"'), "Expected `bool`, got `str` - at `$.contrasts[0].holds`"),
        (WORDS.replace("{most}", "{least}"), "there is no figure 'least'"),
        (
            WORDS.split("[[")[0].replace("all else", 'all else"\ncontrasts = []\nabout = "x'),
            "2 attempts, and words of 1",
        ),
        (WORDS.replace('"nothing"', "nothing"), "Invalid value (at line 6, column 11)"),
    ],
)
def test_words_that_are_wrong_are_refused(tmp_path: Path, words: str, why: str) -> None:
    with pytest.raises(UsageError) as refused:
        lemmas(tmp_path, words, ONE, ONE)
    of = "" if "line" in why else " the lemma 'small':"
    assert str(refused.value) == f"{tmp_path / FILE}:{of} {why}."
