"""The files of a protocol's models and variants: what they say, and the sentence in which a bad one is refused."""

import re
import sys

import pytest

from gomboc.spec.core.instance import instance_of
from gomboc.spec.core.pinned import Results, read_errata, read_models
from gomboc.spec.protocols import hyparview
from tests.toys.crowd.spec import PROTOCOL

MODEL = instance_of(PROTOCOL, {})
FILE = """
findings = ["closure", "possible", "canonical"]

[verdicts.stuck]
holds = ["canonical"]
unknown = ["closure"]
violated = ["possible"]

[[models]]
name = "one"
about = "n = 1, in
two lines"
starts = 1
states = 2
transitions = 3
legitimate = 4
verdicts = "stuck"
""".replace('"n = 1, in\ntwo lines"', '"""n = 1, in\ntwo lines"""')


@pytest.fixture
def read(tmp_path, monkeypatch):
    """The models of a module beside such a file, by name."""

    def reading(text, *names):
        (tmp_path / "recorded").mkdir()
        (tmp_path / "recorded" / "__init__.py").touch()
        (tmp_path / "recorded" / "models.toml").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        return read_models("recorded.models", dict.fromkeys(names, MODEL))

    yield reading
    sys.modules.pop("recorded", None)


def test_a_model_has_the_words_and_results_of_its_row(read):
    (pinned,) = read(FILE, "one")
    assert (pinned.name, pinned.about, pinned.model) == ("one", "n = 1, in two lines", MODEL)
    assert pinned.results == Results(1, 2, 3, 4, ("unknown", "violated", "holds"), 0)
    assert (pinned.variant, pinned.long) == (None, False)


@pytest.mark.parametrize(
    ("right", "wrong", "names", "says"),
    [
        ("starts = 1", 'starts = "1"', ["one"], "Expected `int`, got `str` - at `$.models[0].starts`"),
        ("starts = 1", "begins = 1", ["one"], "Object contains unknown field `begins` - at `$.models[0]`"),
        ("", "", ["one", "two"], "it describes one, not one, two"),
        ('"possible"]\n\n[[', '"likely"]\n\n[[', ["one"], "there is no finding 'likely'"),
        ('verdicts = "stuck"', 'verdicts = "well"', ["one"], "there is no pattern 'well' of verdicts"),
    ],
)
def test_a_file_that_is_not_as_records_are_is_refused_with_its_path(read, right, wrong, names, says):
    with pytest.raises(ValueError, match=rf"^/.*/recorded/models\.toml: {re.escape(says)}$"):
        read(FILE.replace(right, wrong), *names)


VARIANTS = {erratum.name: erratum.protocol for erratum in hyparview.PROTOCOL.variants.errata}


def test_each_variant_has_its_source_and_what_breaks_with_it():
    first, *_ = read_errata(hyparview.__name__, VARIANTS)
    assert (first.name, first.protocol) == ("adds_untold", VARIANTS["adds_untold"])
    assert first.source == "HyParView, Algorithm 1, addNodeActiveView"
    assert first.breaks == "A link stays that is not known at its other end."


def test_a_file_about_other_variants_is_refused_in_a_sentence():
    says = "has words for adds_untold, accepts_all, refuses_while_it_asks, not adds_untold, other$"
    with pytest.raises(ValueError, match=rf"^errata\.toml of {hyparview.__name__} {says}"):
        read_errata(hyparview.__name__, {"adds_untold": hyparview.PROTOCOL, "other": hyparview.PROTOCOL})
