"""The documentation and the messages use the words of the field, and local variables have names that say something."""

import ast
from pathlib import Path

import click
import pytest

from gomboc.checker.cli import gomboc
from tests.tree.words import (
    LIMITS,
    LOCALS,
    MOST_LOCALS,
    Findings,
    Text,
    avoided,
    bound,
    docstrings,
    findings,
    headings,
    plain,
)


@pytest.fixture(scope="module")
def repository() -> Findings:
    """All that is found in the repository."""
    return findings()


@pytest.mark.parametrize("group", LIMITS)
def test_docstrings_and_pages_seldom_use_avoided_words(repository: Findings, group: str):
    assert repository.rates()[group] <= LIMITS[group]


def test_local_variables_have_names_that_say_something(repository: Findings):
    uses = [f"{use.path}:{use.line}: {use.excerpt}" for use in repository.banned]
    assert len(uses) <= MOST_LOCALS, "\n".join(uses)


def test_no_heading_uses_an_avoided_word():
    assert not [use for heading in headings() for use in avoided(heading)]


def test_no_error_uses_an_avoided_word_in_its_first_sentence(repository: Findings):
    assert not [use for sentence in repository.sentences for use in avoided(sentence)]


def commands(group: click.Group, above: tuple[str, ...] = ()):
    """Each command below a group, with its name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command
        yield " ".join((*above, name)), command
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))


@pytest.mark.parametrize(
    ("name", "command"), [*commands(gomboc)], ids=lambda value: value if isinstance(value, str) else ""
)
def test_no_help_uses_an_avoided_word(name: str, command: click.Command):
    helps = [command.help or "", *(getattr(option, "help", None) or "" for option in command.params)]
    assert not [use.excerpt for text in helps for use in avoided(Text(Path(name), 1, plain(text)))]


def test_every_docstring_and_page_below_a_folder_is_counted(tmp_path: Path):
    (tmp_path / "module.py").write_text('"""Who?"""\n')
    (tmp_path / "page.md").write_text("What is it?\n")
    result = findings([str(tmp_path)])
    assert (result.words, [use.group for use in result.uses]) == (4, ["who", "what"])
    assert result.rates() == {"what": 250, "who": 250, "nobody": 0}


def test_code_and_quotations_are_no_text_of_ours():
    text = plain('The paper: "whoever times out" and `what`.\n> who\n```sh\nwhat\n```\nwhat')
    assert [use.line for use in avoided(Text(Path("page.md"), 1, text))] == [6]


def test_the_docstrings_of_modules_classes_functions_and_fields_are_texts():
    source = '"""a"""\nclass C:\n    """b"""\n    x = 1\n    """c"""\ndef f():\n    """d"""\n    "no" + "e"\n'
    assert [text.words for text in docstrings(Path("m.py"), ast.parse(source))] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("code", ["found = 1", "lambda each: 1", "[0 for place in ()]", "def f(told): ..."])
def test_each_way_to_bind_a_local_counts(code: str):
    assert any(bound(node) in LOCALS for node in ast.walk(ast.parse(code)))
