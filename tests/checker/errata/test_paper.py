"""Claims as a file: read as they are written, and refused in a sentence that names the file and the claim."""

from textwrap import dedent

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.errata.claim import Claim, Reading, Result
from gomboc.checker.errata.paper import read_paper
from gomboc.checker.errata.quotation import Basis, Quotation
from gomboc.checker.errata.scene import Scene

WHOLE = dedent(
    '''
    title = "Claims of a toy"
    introduction = """
    It is
    short."""

    [[claims]]
    name = "toy"
    title = "a toy"
    source = "Lemma 0"
    result = "depends on the reading"
    experiment = "toys.toy"
    arguments = { nodes = 3 }
    lemmas = ["a_lemma"]
    says = "It is {count}."
    ran = "Ours."
    why = \'\'\'
    It was "{count}",
    or so.\'\'\'

    [[claims.quotes]]
    place = "Lemma 0"
    words = "It is."
    basis = "paraphrased from a source that is not at hand"

    [[claims.readings]]
    outcome = "reproduced"
    says = "By the letter."

    [[claims.scenes]]
    name = "stuck"
    shows = "it is stuck"
    script = "toys.stuck"
    variant = "printed"
    exit_code = 1
    parameters = { r = 2 }
    '''
)


@pytest.fixture
def read(tmp_path):
    """The paper of a text."""

    def paper(text):
        (tmp_path / "claims.toml").write_text(text, encoding="utf-8")
        return read_paper(tmp_path / "claims.toml")

    return paper


def test_a_claim_is_as_it_is_written_with_line_breaks_as_blanks(read):
    paper = read(WHOLE)
    assert (paper.title, paper.introduction, paper.notation) == ("Claims of a toy", "It is short.", "")
    assert paper.claims == (
        Claim(
            "toy",
            "a toy",
            "Lemma 0",
            "It is {count}.",
            Result.DEPENDS,
            'It was "{count}", or so.',
            "toys.toy",
            "Ours.",
            arguments={"nodes": 3},
            lemmas=("a_lemma",),
            quotes=(Quotation("Lemma 0", "It is.", Basis.PARAPHRASED),),
            readings=(Reading("By the letter.", Result.REPRODUCED),),
            scenes=(Scene("stuck", "it is stuck", "toys.stuck", "printed", 1, {"r": 2}),),
        ),
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('title = "Claims', "title = Claims", " cannot be read as TOML (Invalid value (at line 2, column 9)): fix it."),
        ('title = "Claims of a toy"', "", " is not as claims are written (Object missing required field `title`): "),
        ('ran = "Ours."', "", ": claim 'toy' is not as claims are written (Object missing required field `ran` - at "),
        ('ran = "', 'run = "', ": claim 'toy' is not as claims are written (Object contains unknown field `run` - at "),
        ("lemmas", "lemma", ": claim 'toy' is not as claims are written (Object contains unknown field `lemma` - at "),
        ("place", "position", ": claim 'toy' is not as claims are written (Object contains unknown field `position`"),
        ('"depends', '"hangs', ": claim 'toy' is not as claims are written (Invalid enum value 'hangs on the reading'"),
        (
            "exit_code = 1",
            'exit_code = "1"',
            ": claim 'toy' is not as claims are written (Expected `int`, got `str`",
        ),
        ('name = "toy"', "name = 3", ": claim number 1 is not as claims are written (Expected `str`, got `int` - at "),
    ],
)
def test_a_malformed_file_is_refused_with_its_name_and_the_claim(read, tmp_path, old, new, problem):
    with pytest.raises(UsageError) as refusal:
        read(WHOLE.replace(old, new, 1))
    assert str(refusal.value).startswith(f"{tmp_path / 'claims.toml'}{problem}")


def test_two_claims_of_one_name_are_refused(read, tmp_path):
    with pytest.raises(UsageError) as refusal:
        read(WHOLE + WHOLE[WHOLE.index("[[claims]]") :])
    assert str(refusal.value) == f"{tmp_path / 'claims.toml'}: two claims are called 'toy': rename one."


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"claims\.toml cannot be read as TOML \(.*No such file.*\): fix it\.$"):
        read_paper(tmp_path / "claims.toml")
