"""The digest names the specification that judged, and nothing else."""

import re
import shutil
from pathlib import Path

import pytest

from gomboc import spec
from gomboc.checker.core.digest import digest_of, spec_digest
from gomboc.impl.api.registry import NAMED


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A copy of the specification that is digested in its place, and its digest at this moment."""
    folder = tmp_path / "spec"
    shutil.copytree(Path(*spec.__path__), folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(spec, "__path__", [str(folder)])

    def digest():
        digest_of.cache_clear()
        return spec_digest()

    yield folder, digest
    monkeypatch.undo()
    digest_of.cache_clear()


def test_a_digest_is_sixteen_hexadecimal_digits():
    assert re.fullmatch("[0-9a-f]{16}", spec_digest())


def test_equal_sources_have_one_digest_wherever_they_stand(copy):
    _, digest = copy
    copied = digest()
    digest_of.cache_clear()
    with pytest.MonkeyPatch.context() as back:
        back.setattr(spec, "__path__", [str(Path(spec.__file__).parent)])
        assert spec_digest() == copied


def test_every_source_counts_and_so_does_its_name(copy):
    folder, digest = copy
    before = digest()
    rules = folder / "protocols" / "skip_ring" / "rules.py"
    text = rules.read_text()
    rules.write_text(text + "\n")
    edited = digest()
    rules.write_text(text)
    assert digest() == before
    rules.rename(folder / "protocols" / "skip_ring" / "laws.py")
    assert len({before, edited, digest()}) == 3


def test_files_that_are_no_sources_do_not_count(copy):
    folder, digest = copy
    before = digest()
    (folder / "notes.txt").write_text("no rule")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "rules.pyc").write_bytes(b"no rule")
    assert digest() == before


def test_an_implementation_that_is_named_counts(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "own_node.py").write_text("import own_timer")
    (tmp_path / "own_timer.py").write_text("PERIOD = 1")
    before = digest_of(())
    monkeypatch.setenv(NAMED, "own_node:IMPLEMENTATION")
    digest_of.cache_clear()
    named = spec_digest()
    (tmp_path / "own_timer.py").write_text("PERIOD = 2")
    digest_of.cache_clear()
    assert len({before, named, spec_digest()}) == 3
    digest_of.cache_clear()
