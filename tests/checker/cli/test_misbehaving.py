"""A protocol of the caller's own that misbehaves: every command names its function, and none takes it for a yes."""

from itertools import cycle

import pytest

from gomboc.checker.simulate import plan
from gomboc.spec.core.guarded import RULES
from tests.checker.cli.command import gomboc, refused
from tests.checker.core.test_protocol_option import MODULE, trace

MODES = {
    "raises StopIteration": "raise StopIteration",
    "raises TypeError: wrong": "raise TypeError('wrong')",
    "raises SystemExit: 0": "import os; os._exit(0)",
    "raises SystemExit": "import sys; sys.exit()",
    "raises CancelledError": "from asyncio import CancelledError; raise CancelledError",
    "raises GeneratorExit": "raise GeneratorExit",
    "raises Skipped: not today": "import pytest; pytest.skip('not today')",
    "raises RecursionError": "return misbehave(*arguments)",
    "answers 7, and must answer": "return 7",
    "answers None, and must answer": "return None",
    "answers <generator": "return (each for each in ())",
}
"""The sentence on a misbehaviour, and the statement of the function."""

VALUES = {
    "react": [
        ("can be changed (unhashable type: 'list')", "return Outcome([1])"),
        ("NaN is not equal to itself", "import math; return Outcome(Number(math.nan))"),
        (
            "changes its argument",
            "import msgspec; msgspec.structs.force_setattr(arguments[1], 'number', 9); return Outcome(Number(0))",
        ),
    ],
    "node_faults": [
        ("two answers to the same question", "import random; return (Fault('x', 'y', random.random(), 0, ''),)"),
    ],
    "choices": [
        ("two answers to the same question", "import random; return (Choice(str(random.random()), Fraction(1)),)")
    ],
}

ASKED = {
    "check": ("react", "choices", "rule", "malformed", "anchor", "anchor_faults", "node_faults", "message_faults"),
    "replay": ("react", "rule", "malformed", "premise", "assumption", "asleep", "named", "node_faults", "bound"),
    "report": ("react", "choices", "anchor_faults", "node_faults"),
    "shrink": ("react", "choices", "anchor_faults", "node_faults"),
    "simulate": ("react", "choices", "space", "node_faults", "bound"),
    "explore": ("react", "choices", "node_faults", "message_faults"),
}
"""The functions that a command asks for certain."""

PAIRS = [(command, function) for command, functions in ASKED.items() for function in functions]

ANY = {"anchor": {"answers 7", "answers None", "answers <g"}}
"""Behaviour that is no misbehaviour of a function."""


def cases():
    """Each function that each command asks, with one misbehaviour after the other: each of these more than once."""
    modes = cycle(MODES.items())
    for command, function in PAIRS * 3:
        says, statement = next(modes)
        while says[:10] in {says_already[:10] for says_already in ANY.get(function, ())} or (function, statement) == (
            "bound",
            "return 7",
        ):
            says, statement = next(modes)
        yield command, function, says, statement
    for function, pairs in VALUES.items():
        for says, statement in pairs:
            for command, asked in ASKED.items():
                if function in asked:
                    yield command, function, says, statement


@pytest.fixture
def home(own_folder):
    # By the name of a protocol, which is the same in each of these tests.
    for remembered in vars(plan).values():
        if hasattr(remembered, "cache_clear"):
            remembered.cache_clear()
    return own_folder


def words(command):
    named = ("--protocol", "own:PROTOCOL")
    return {
        "check": ("check", *named, "t.jsonl"),
        "replay": ("replay", *named, "traces", "--jobs", "1", "--output", "verdicts"),
        "report": ("report", *named, "t.jsonl", "--output", "page.html"),
        "shrink": ("shrink", *named, "t.jsonl", "--output", "small.jsonl"),
        "simulate": (
            "simulate",
            "followers",
            *named,
            "--from-spec",
            "--start",
            "arbitrary",
            "--nodes",
            "2",
            "--output",
            "runs",
        ),
        "explore": ("explore", *named, "own:MODEL", "--engine", "plain"),
    }[command]


IMPORTS = "from fractions import Fraction\nfrom gomboc.spec.core.model import Choice\n"


@pytest.mark.parametrize(("command", "function", "says", "statement"), list(cases()))
def test_what_a_function_does_wrong_is_its_own_fault(home, command, function, says, statement):
    bad = f"{IMPORTS}\ndef misbehave(*arguments):\n    {statement}\nPROTOCOL = PROTOCOL.changed({function}=misbehave)\n"
    (home / "own.py").write_text(f"{MODULE}\n{bad}\nMODEL = two(PROTOCOL)\n")
    (home / "traces").mkdir()
    trace(home)
    (home / "traces" / "t.jsonl").write_bytes((home / "t.jsonl").read_bytes())
    ran = gomboc(*words(command))
    assert ran.code in (2, 3), ran
    assert "Traceback" not in ran.err
    assert "fault of gomboc" not in ran.err
    assert f"own:PROTOCOL: {function}" in ran.err + ran.out, ran
    assert says.split(",")[0] in ran.err + ran.out, ran


def test_every_rule_names_a_function_that_a_protocol_has():
    from gomboc.spec.core.protocol import RECORD_OF

    assert set(RULES) < set(RECORD_OF)
    assert {function for functions in ASKED.values() for function in functions} <= set(RULES)


SPACE = "own:PROTOCOL: space gives "
AT_THE_END = "; nothing is known, and gomboc --debug shows where."
STEP = "react('v2', Number(number=2), Timeout(), Choice(name='certain', probability=Fraction(1, 1)))"

MISTAKES = {
    "own:PROTOCOL: values of type Number can be changed: write class Number(Struct, frozen=True).": (
        "class Number(Struct, frozen=True)",
        "class Number(Struct)",
    ),
    f"{SPACE}'v1' the role 'folower', and its roles are: leader, follower: use one of these{AT_THE_END}": (
        'f"v{number}", "follower")',
        'f"v{number}", "folower")',
    ),
    f"{SPACE}'leader' the state (2,), and the role 'leader' has states of type Number: give it one{AT_THE_END}": (
        "map(Number, chosen)",
        "((number,) for number in chosen)",
    ),
    f"{SPACE}7, of type int: make it a Start{AT_THE_END}": ("Start(roles(size.nodes), *both)", "7"),
    f"own:PROTOCOL: {STEP} answers Outcome(local=Number(number=2), sends=[Send(target='leader', "
    f"message=Ask(who='v2'))], delivered=()): its sends must be a tuple, not a list{AT_THE_END}": (
        '() if me == "leader" else (Send("leader", Ask(me)),)',
        '() if me == "leader" else [Send("leader", Ask(me))]',
    ),
}
"""The sentence on a mistake in a module, and the text that is replaced in order to make it."""


@pytest.mark.parametrize(("says", "mistake"), MISTAKES.items())
def test_a_mistake_in_a_module_is_blamed_on_it_in_one_sentence(home, says, mistake):
    assert MODULE.count(mistake[0]) == 1
    (home / "own.py").write_text(MODULE.replace(*mistake))
    assert refused(*words("simulate")) == f"gomboc: {says}\n"


def test_sends_in_a_list_are_named_by_explore_too(home):
    mistaken = MODULE.replace('else (Send("leader", Ask(me)),)', 'else [Send("leader", Ask(me))]')
    (home / "own.py").write_text(mistaken)
    says = "sends=[Send(target='leader', message=Ask(who='v1'))], delivered=())]: its sends must be a tuple, not a list"
    assert says in refused("explore", "own:MODEL")
