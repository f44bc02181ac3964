"""The words of lemmas, in a file: what is wrong with one is said in a sentence that names the file and the lemma."""

from pathlib import Path
from random import Random

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.prove.lemma import Lemma, Sample
from gomboc.checker.prove.wording import Attempt, Proof, read_lemmas

WORDS = """
[[lemmas]]
name = "small"
says = "It is so for {most}."
source = "nowhere"
ranges_over = "up to {most}"
by_hand = "nothing"
leaves_out = "all else"

[[lemmas.contrasts]]
says = "It is not."
holds = false
"""
ONE = Attempt(list)


def agrees(_random: Random) -> Sample:
    return Sample(0, 0, 0)


def lemmas(folder: Path, words: str, *names: str) -> tuple[Lemma, ...]:
    (folder / "lemmas.toml").write_text(words)
    return read_lemmas(folder / "lemmas.toml", {name: Proof((ONE, ONE), agrees, (abs,), {"most": 6}) for name in names})


def test_words_and_attempts_make_a_lemma(tmp_path: Path) -> None:
    (lemma,) = lemmas(tmp_path, WORDS, "small")
    assert (lemma.name, lemma.ranges_over, lemma.about) == ("small", "up to 6", "the specification")
    assert [(one.says, one.holds) for one in (lemma.statement, *lemma.contrasts)] == [
        ("It is so for 6.", True),
        ("It is not.", False),
    ]


@pytest.mark.parametrize(
    ("names", "why"),
    [((), "'small' has no proof"), (("small", "other"), "'other' has no words"), (("other",), "'other' has no words")],
)
def test_a_lemma_without_its_words_or_its_proof_is_refused(tmp_path: Path, names: tuple[str, ...], why: str) -> None:
    with pytest.raises(UsageError, match=rf"^{tmp_path}/lemmas\.toml: the lemma {why}\.$"):
        lemmas(tmp_path, WORDS, *names)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (WORDS.replace("says", "sais"), "Object contains unknown field `sais`"),
        (WORDS.replace('source = "nowhere"', ""), "Object missing required field `source`"),
        (WORDS.replace("holds = false", 'holds = "no"'), "Expected `bool`, got `str` - at `$.contrasts[0].holds`"),
        (WORDS.replace("{most}", "{least}"), "there is no figure 'least'"),
        (WORDS.split("[[lemmas.")[0] + "contrasts = []", "1 statements, and 2 attempts to prove them"),
    ],
)
def test_words_that_are_wrong_are_refused(tmp_path: Path, words: str, why: str) -> None:
    with pytest.raises(UsageError) as refused:
        lemmas(tmp_path, words, "small")
    of = f"{tmp_path}/lemmas.toml: the lemma 'small'"
    assert str(refused.value) == f"{of} is not as lemmas are written ({why}): fix it."


def test_words_that_are_no_toml_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=rf"^{tmp_path}/lemmas\.toml cannot be read as TOML \(.*line 5.*\): fix it\.$"):
        lemmas(tmp_path, WORDS.replace('"nowhere"', "nowhere"), "small")
