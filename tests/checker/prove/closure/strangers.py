"""Small protocols as a stranger writes them, drawn by a seed: their states, conjuncts and rules as source text."""

import linecache
import sys
from random import Random
from types import ModuleType
from typing import Any

from msgspec import Struct


class Field(Struct, frozen=True):
    """A field of a node's state: its type, its conjuncts, its new values at a timeout and by a message, its values.

    `true` are the conjuncts that hold of a right value, as expressions of `me` and `local`, of which one is drawn; the
    new values `steps` and `told` keep the first one, and those that are `odd` may not. `values` are tried.
    """

    kind: str
    true: tuple[str, ...]
    steps: tuple[str, ...]
    odd: tuple[str, ...]
    told: tuple[str, ...]
    odd_told: tuple[str, ...]
    values: str


FIELDS = {
    "count": Field(
        "int",
        ("0 <= local.count <= 3",),
        (
            *("min(local.count + 1, 3)", "max(local.count - 1, 0)", "(local.count + 1) % 4", "3 - local.count"),
            *("abs(local.count - 3)", "STEPS[local.count]", "STEPS.get(local.count, 0)", "local.count // 2"),
            *("sorted((local.count, 1, 2))[1]", "len(range(local.count))", "limited(local.count + 1)"),
            *("stepped(local.count)", "looked_up(local.count)", "len({local.count, 1})", "int(local.count > 1)"),
            *("local.count if local.count in {0, 1, 2} else 2", "sum(1 for one in range(local.count) if one)"),
            *("refused(local.count)", "max(*local.pair, 0)"),
        ),
        (
            *("int(f'{local.count}')", "local.count + 1", "local.count - 1", "local.count * 2", "BROKEN[local.count]"),
            *("len(str(local.count)) + local.count", "{0: 1, 1: 2, 2: 4}.get(local.count, 0)", "suited(local.count)"),
            *("5 if local.count == 2 else local.count", "remembered(local.count)", "(0, 1, 2)[local.count]"),
        ),
        (
            *("amount", "max(amount, local.count)", "min(amount, 3)", "(local.count + amount) % 4", "local.count"),
            *("sorted((local.count, amount))[0]", "STEPS[amount]", "len({amount, local.count})", "limited(amount * 2)"),
        ),
        ("min(amount, local.count) + 1", "amount + 1", "-amount", "amount - local.count"),
        "range(-1, 6)",
    ),
    "peer": Field(
        "NodeName | None",
        ("local.peer != me", "True", "local.peer != 'v3'"),
        (
            *("local.peer", "None", "'leader'", "local.peer or 'leader'", "other(me, local.peer)"),
            *("local.peer if local.peer != 'leader' else None", "max(local.peer or 'leader', 'leader')"),
        ),
        ("me", "next(iter({me, local.peer or me}))", "min({me, 'leader'})", "min((local.peer or me, 'leader'))"),
        ("node if node != me else None", "local.peer", "other(me, node)", "None", "node if node < me else local.peer"),
        (
            *("node", "min(me, node)", "max({node, local.peer or node})", "sorted({me, node}, reverse=True)[0]"),
            *("next(iter({node, me}))", "next((one for one in (local.peer, node) if one), None)"),
        ),
        "(None, *NAMES)",
    ),
    "names": Field(
        "tuple[NodeName, ...]",
        (
            *("len(local.names) <= 2 and me not in local.names", "len(local.names) < 3"),
            "[*local.names] == sorted(set(local.names)) and len(local.names) < 3",
        ),
        (
            *("local.names", "local.names[1:]", "local.names[:1]", "()", "tuple(sorted(set(local.names)))"),
            *("tuple(sorted(set(local.names) - {'leader'}))", "tuple(one for one in local.names if one != 'v1')"),
            *("tuple(dict.fromkeys(local.names))", "local.names[::-1]"),
        ),
        (
            *("tuple(sorted(local.names, reverse=True))", "tuple({*local.names})", "(*local.names, 'leader')"),
            "tuple(sorted({*local.names, 'leader'}))[:2]",
        ),
        (
            *("tuple(sorted({*local.names, node} - {me}))[:2]", "tuple(one for one in local.names if one != node)"),
            *("(node,) if node != me else ()", "local.names"),
        ),
        (
            *("(*local.names, node)", "(node,)", "(*local.names, node)[-2:]"),
            "tuple(sorted({node, *local.names}, key=lambda one: (one == me, one)))[:2]",
        ),
        "((), *((one,) for one in NAMES), *((one, other) for one in NAMES for other in NAMES))",
    ),
    "friends": Field(
        "frozenset[NodeName]",
        ("len(local.friends) <= 2 and me not in local.friends", "len(local.friends) < 2"),
        (
            *("local.friends", "frozenset()", "local.friends - {'leader'}", "frozenset(sorted(local.friends)[:1])"),
            *("frozenset(one for one in local.friends if one > me)", "local.friends & {'v1', 'leader'} - {me}"),
        ),
        ("frozenset(list(local.friends)[1:])", "local.friends ^ {'v2'}", "local.friends | {'leader'}"),
        ("local.friends - {node}", "frozenset({node}) - {me}", "local.friends & {node}", "local.friends"),
        ("local.friends | {node}", "frozenset({node})", "frozenset(sorted(local.friends | {node} - {me})[:2])"),
        "(frozenset(), *(frozenset((one,)) for one in NAMES))",
    ),
    "word": Field(
        "str",
        ("local.word in ('idle', 'busy', 'done')", "local.word in ALLOWED", "local.word != 'lost'"),
        (
            *("'busy' if local.word == 'idle' else 'idle'", "WORDS[local.word]", "WORDS.get(local.word, 'idle')"),
            *("local.word", "following(local.word)", "'done' if local.word != 'done' else local.word"),
            *("max(local.word, 'busy')", "local.word or 'idle'", "('busy', 'done')[local.word == 'busy']"),
        ),
        (
            *("'lost'", "local.word.lower()", "f'{local.word}'", "'lost' if local.word == 'done' else 'done'"),
            *("'idle' if local.word else 'lost'", "'lost' if local.word > 'done' else local.word", "local.word[:4]"),
        ),
        ("local.word", "'busy'", "WORDS[local.word]", "'done' if node == me else 'idle'"),
        ("node", "me", "min(local.word, node)"),
        "('', 'idle', 'busy', 'done', 'lost', 'leader')",
    ),
    "mark": Field(
        "Mark",
        ("0 <= local.mark.level <= 2", "0 <= local.mark.level <= 2 and local.mark.who != me"),
        (
            *("replace(local.mark, level=min(local.mark.level + 1, 2))", "local.mark", "Mark(0, None)"),
            *("Mark(local.mark.level, None)", "max(local.mark, Mark(1, None), key=lambda one: one.level)"),
            *("Mark(2 - local.mark.level, 'leader')", "replace(local.mark, who=local.mark.who or 'leader')"),
            *("Mark(local.mark.level // 2, local.mark.who)", "Mark(int(not local.mark.level), local.mark.who)"),
        ),
        ("Mark(0, me)", "Mark(local.mark.level + 1, local.mark.who)", "swapped(local.mark)"),
        ("Mark(min(amount, 2), None)", "local.mark", "Mark(0, node)", "Mark(1, node if node != me else None)"),
        ("Mark(amount, node if node != me else None)",),
        "[Mark(level, who) for level in range(4) for who in (None, *NAMES)]",
    ),
    "scores": Field(
        "tuple[int, ...]",
        ("len(local.scores) <= 2 and all(0 <= one <= 2 for one in local.scores)",),
        (
            *("tuple(sorted(local.scores))", "tuple(min(one + 1, 2) for one in local.scores)", "local.scores[::-1]"),
            *("tuple(max(one - 1, 0) for one in local.scores)", "(*local.scores, 0)[-2:]", "local.scores[1:]"),
            *("(max(local.scores, default=0),)", "tuple(one for one in local.scores if one != 1)"),
            *("(len(local.scores),)", "tuple(2 - one for one in local.scores)", "tuple(map(limited, local.scores))"),
        ),
        (
            *("(sum(local.scores),)", "tuple(one + 1 for one in local.scores)", "tuple({*local.scores})"),
            "(*local.scores, 0)",
        ),
        ("(min(amount, 2),)", "(*local.scores, min(amount, 2))[-2:]", "local.scores", "(amount % 3, 0)"),
        ("(amount,)", "(*local.scores, amount % 3)"),
        "((), *((one,) for one in range(4)), *((one, other) for one in range(4) for other in range(4)))",
    ),
    "pair": Field(
        "tuple[int, int]",
        ("0 <= local.pair[0] <= local.pair[1] <= 3", "0 <= min(local.pair) and max(local.pair) <= 3"),
        (
            *("tuple(sorted(local.pair))", "(min(local.pair), max(local.pair))", "local.pair", "spread(local.pair)"),
            *("(local.pair[0], local.pair[0])", "(0, local.pair[1])", "(local.pair[0], 3)"),
            "(local.pair[0] // 2, local.pair[1])",
        ),
        ("local.pair[::-1]", "(local.pair[0] + 1, local.pair[1])", "(1, local.pair[1])"),
        ("(0, amount)", "(min(local.pair[0], amount), local.pair[1])", "tuple(sorted((amount, local.pair[0])))"),
        ("(amount, local.pair[1])", "(local.pair[0], amount)"),
        "[(one, other) for one in range(-1, 5) for other in range(5)]",
    ),
    "mood": Field(
        "Literal['calm', 'grim']",
        ("True", "local.mood == 'calm'"),
        ("local.mood", "'calm'", "'calm' if local.mood == 'calm' else 'grim'"),
        ("'grim'", "local.mood.upper()"),
        ("local.mood", "'calm'", "'grim' if node == me else 'calm'"),
        ("f'{local.mood}'",),
        "('calm', 'grim')",
    ),
}
"""The fields of which a state may have some."""

ALWAYS = "count", "pair", "peer"
"""The fields of each state, since others refer to them."""

CONDITIONS = (
    *("local.count > 1", "local.count == 2", "local.peer is None", "local.peer == 'v3'", "me == 'v2'", "me < 'm'"),
    *("me in {'v1', 'v3'}", "local.peer in ('v1', 'v2')", "isinstance(local.peer, str)", "is_odd(local.count)"),
    *("me in GUESTS", "sorted((me, local.peer or me))[0] == me", "max(me, local.peer or me) == me", "callable(me)"),
    *("local.pair[0] == local.pair[1]", "local.peer in (me, 'leader')", "not local.count", "[] and me"),
    *("type(local.count) is int", "local.peer in {me, 'leader'}", "len({me, local.peer}) == 1"),
)
ODD_CONDITIONS = (
    *("hash(me) % 2 == 0", "str(local.count) == '2'", "f'{me}' == 'v1'", "measured(local.peer) > 2", "kept(me)"),
    *("next(iter({me, local.peer})) == me", "hasattr(local.peer, 'upper')", "me.startswith('v')", "ends(me)"),
    *("joined(me, local.peer) == 'v1v2'", "suppressed(me)", "getattr(local.peer, 'upper', None) is None"),
    *("hasattr(me, 'term')", "getattr(me, 'path', 0)", "[*{me, 'leader'}][0] == me", "{me: 1}.get('v2', 0)"),
)
"""Conditions under which a rule takes another value, and those that are true for some names only or hard to follow."""

FRAME = '''
"""A protocol of a stranger."""

from contextlib import suppress
from functools import cache, lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from gomboc.spec import Actor, Cited, Discipline, Fault, Legitimacy, NodeName, Outcome, Protocol
from gomboc.spec import Received, Send, Starts, Timeout, Vocabulary

STEPS = {{0: 1, 1: 2, 2: 3, 3: 0}}
BROKEN = {{0: 1, 1: 2, 2: 3, 3: 4}}
WORDS = {{"idle": "busy", "busy": "done", "done": "idle"}}
ALLOWED = frozenset(WORDS)
GUESTS = ("v1", "v2")
SEEN = {{}}


class Leader(Struct, frozen=True):
    number: int


class Mark(Struct, frozen=True):
    level: int
    who: NodeName | None


class Node(Struct, frozen=True):
    {fields}


class Tell(Struct, frozen=True, tag_field="kind", tag="tell"):
    node: NodeName
    amount: int


def limited(number):
    return min(max(number, 0), 2)


@lru_cache(maxsize=None)
def stepped(number):
    return number + 1 if number < 3 else 0


@cache
def is_odd(number):
    return number % 2 == 1


def looked_up(number):
    try:
        return STEPS[number + 1]
    except KeyError:
        return 0


def refused(number):
    try:
        return {{0: 0, 1: 1}}[number]
    except KeyError:
        raise ValueError(f"no rule for {{number}}") from None


def suited(number):
    try:
        return number if number % 2.5 != 2 else 7
    except Exception:
        return 0


def remembered(number):
    if number not in SEEN:
        SEEN[number] = len(SEEN)
    return SEEN[number]


def measured(name):
    try:
        return len(name)
    except TypeError:
        return 0


def joined(*names):
    try:
        return "".join(names)
    except TypeError:
        return ""


def suppressed(name):
    with suppress(TypeError):
        return "v1 v2".index(name) >= 0 if name in "v1 v2" else False
    return False


def ends(name):
    try:
        return name[-1] == "1"
    except:
        return False


def kept(name):
    found = False
    try:
        found = name.removeprefix("v") == "3"
    finally:
        return found


def other(me, name):
    return name if name != me else "leader"


def following(word):
    match word:
        case "idle":
            return "busy"
        case "busy" | "done":
            return "done"
    return "lost" if word == "leader" else word


def swapped(mark):
    match mark:
        case Mark(0, who):
            return Mark(1, who)
        case Mark(level, None):
            return Mark(level - 1, None)
    return mark


def spread(pair):
    low, high = pair
    return (low, high + 1) if high < 3 else (low, high)


def changed(me, local, node, amount):
    if {condition}:
        return replace(local, {first})
    return replace(local, {second})


def idle(me, local):
    if {quiet}:
        return replace(local, {third})
    return replace(local, {fourth})


def react(me, local, taken, choice):
    match taken:
        case _ if me == "leader":
            return Outcome(local)
        case Timeout():
            after = idle(me, local)
            return Outcome(after, {sends})
        case Received(Tell(node, amount)):
            return Outcome(changed(me, local, node, amount))
    raise ValueError(f"{{me}} has no rule for {{taken}}")


def wrong(conjunct, me):
    return (Fault(conjunct, me, None, None, "strangers.py"),)


def node_faults(right, me, local):
    if me == "leader":
        return ()
    return () if {true} else wrong("right", me)


def message_faults(right, target, message):
    return () if {message} else wrong("right_message", target)


PROTOCOL = Protocol(
    "stranger", Discipline.UNORDERED,
    Vocabulary({{"leader": Leader, "node": Node}}, "node", Tell, fixed={{"leader": "leader"}}),
    Actor(react, lambda local, taken: Cited("step", "strangers.py")),
    Legitimacy(lambda states: states["leader"].number, node_faults, message_faults),
    Starts(None, None, None),
)

NAMES = ("leader", "v1", "v2", "v3")
VALUES = {{{values}}}
'''


MESSAGES = "0 <= message.amount <= 3", "message.node != target and 0 <= message.amount <= 3", "message.amount == right"
SENDS = (
    "()",
    "(Send('leader', Tell(me, after.count)),)",
    "tuple(Send(one, Tell(me, 1)) for one in (after.peer,) if one)",
)
CAREFUL, ODD = 0.5, 0.3
"""How many protocols have no odd part, and how many parts of the others are odd."""


class Drawn:
    """The parts of a protocol, drawn by a seed."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._odd = 0.0 if random.random() < CAREFUL else ODD
        chosen = random.sample([name for name in FIELDS if name not in (*ALWAYS, "friends")], random.randint(0, 2))
        self._fields = (*ALWAYS, *chosen, *(("friends",) if "names" not in chosen and random.random() < 0.1 else ()))

    def source(self) -> str:
        """The source of the protocol."""
        return FRAME.format(
            fields="\n    ".join(f"{name}: {FIELDS[name].kind}" for name in self._fields),
            condition=self._one((*CONDITIONS, "node == me", "amount > 1"), (*ODD_CONDITIONS, "node is me")),
            quiet=self._one(CONDITIONS, ODD_CONDITIONS),
            **{place: self._update(place in ("first", "second")) for place in ("first", "second", "third", "fourth")},
            sends=self._one(SENDS[:2], SENDS),
            true=" and ".join(self._one(FIELDS[name].true[:1], FIELDS[name].true) for name in self._fields),
            message=self._one(MESSAGES[:2], MESSAGES),
            values=", ".join(f"'{name}': list({FIELDS[name].values})" for name in self._fields),
        )

    def _one(self, usual: tuple[str, ...], odd: tuple[str, ...]) -> str:
        return self._random.choice(odd if self._random.random() < self._odd else usual)

    def _update(self, told: bool) -> str:
        """New values of one field or of two."""
        names = self._random.sample(self._fields, self._random.randint(1, 2))
        return ", ".join(f"{name}={self._value(FIELDS[name], told)}" for name in names)

    def _value(self, field: Field, told: bool) -> str:
        if told and self._random.random() < 0.7:
            return self._one(field.told, field.odd_told)
        return self._one(field.steps, field.odd)


def drawn(random: Random) -> str:
    """The source of a protocol."""
    return Drawn(random).source()


def module_of(name: str, source: str) -> ModuleType:
    """The module of that name with that source, as if it had been imported."""
    module: Any = ModuleType(name)
    sys.modules[name] = module
    # As a file would, so that its expressions can be read.
    linecache.cache[f"{name}.py"] = len(source), None, source.splitlines(keepends=True), f"{name}.py"
    exec(compile(source, f"{name}.py", "exec"), vars(module))
    return module
