"""The cases of closure, generated from roles, messages, quiet commands and conjuncts, each run along every path."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, get_args

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.prove.closure.paths import Decisions, Ended, Path, Pruned, Undecided, every_path
from gomboc.checker.prove.closure.raised import Heard, is_raised, origin
from gomboc.checker.prove.closure.spelled import check_spelled, faults_of, is_so, told
from gomboc.checker.prove.closure.stand_ins import BUILT_IN, Caches, Installed, StandIns
from gomboc.checker.prove.closure.symbols import MARK
from gomboc.checker.prove.closure.values import Builders, Values, constant
from gomboc.checker.prove.lemma import Journal
from gomboc.spec.core.guarded import unwatched
from gomboc.spec.core.model import Choice, Commanded, Fault, Input, Outcome, Received, Timeout
from gomboc.spec.core.protocol import Protocol

CLOCK = time.thread_time

OWN = "the anchor's share is kept", "a sleeping node does not wake", "values are well formed"
"""The conjuncts that closure adds to those of the protocol."""
SHARE, SLEEP, FORM = OWN


class World(msgspec.Struct, frozen=True):
    """A system of any number of nodes, as a path sees it.

    - `anchor`: what the predicates are told of the whole system: an object that answers their questions, by axioms.
    - `agrees(name, share)`: whether the anchor is one in which that node has that share.
    - `name(text)`: any node of a role without fixed names, named so in queries; by default a symbol of which nothing
      else is known. A value may name that one, or by default one of the fixed names.
    - `builders`: the values that their types do not suffice for; `most`: how many items a tuple has at most, by class
      and field, by default one; `states`: the states of a node, by role, from its name, where any value of the type
      would be too many; they may leave out states that have a fault.
    - `stand_ins`: what stands in the place of functions of the whole anchor.
    - `awake(target)`: whether a node takes messages; if not, no message to it is at fault.
    - `kept`: further conjuncts, by name: `holds(me, local, taken, outcome)`, whether a step keeps it.
    - `system(model)`: the states of all nodes in an assignment of z3's, by name; `real`: the protocol without symbols.
      With both, a counterexample is tried with the specification.
    """

    protocol: Protocol
    anchor: Any
    agrees: Callable[[Any, Any], bool]
    name: Callable[[str], Any] | None = None
    builders: Builders = {}
    most: Mapping[str, int] = {}
    stand_ins: StandIns = {}
    awake: Callable[[Any], bool] = constant(True)
    states: Mapping[str, Callable[[Any], Any]] = {}
    kept: Mapping[str, Callable[[Any, Any, Input, Outcome], bool]] = {}
    system: Callable[[Any], Mapping[str, Any]] | None = None
    real: Protocol | None = None


class Case(NamedTuple):
    """A role, and an input: `message` or `command` is a type, and neither stands for the timeout."""

    role: str
    message: Any = None
    command: Any = None

    def __str__(self) -> str:
        kind = self.message or self.command
        way = "receives" if self.message else "obeys" if self.command else "runs its timeout"
        return f"{self.role} {way} {kind.__name__}" if kind else f"{self.role} {way}"


class Step(NamedTuple):
    """A step from a legitimate state: the values before and after it, and the conjuncts that are false after it."""

    me: Any
    local: Any
    taken: Input
    choice: Choice
    outcome: Outcome
    broken: tuple[str, ...]
    world: World


class Tried(msgspec.Struct, frozen=True):
    """A case along all of its paths.

    `paths` were run, `satisfiable` of them end in a step that a system can take. `open` is the reason why it is
    undecided; `broken` is the first step that breaks a conjunct, along its path. `bounds` has how many items a
    collection has at most, by its place.
    """

    name: str
    conjuncts: int
    paths: int
    satisfiable: int
    seconds: float
    open: str | None = None
    broken: Ended[Step] | None = None
    bounds: Mapping[str, int] = {}


def cases(protocol: Protocol) -> tuple[Case, ...]:
    """Each role with its timeout, each kind of message, and each quiet command."""
    kinds, quiet = kinds_of(protocol), protocol.environment.quiet
    return tuple(
        case
        for role in protocol.vocabulary.roles
        for case in (
            Case(role),
            *(Case(role, message=kind) for kind in kinds),
            *(Case(role, command=kind) for kind in quiet),
        )
    )


def kinds_of(protocol: Protocol) -> tuple[Any, ...]:
    """The types of messages of a protocol."""
    return get_args(protocol.vocabulary.message) or (protocol.vocabulary.message,)


class Survey(NamedTuple):
    """The paths of the predicates along any node of a role, each with the conjuncts that are false at its end.

    Whatever a predicate can find at fault is found at fault along some path.
    """

    paths: tuple[tuple[Decisions, tuple[str, ...]], ...]

    def begun(self, without: Iterable[str]) -> tuple[Decisions, ...]:
        """The beginnings of all paths on which a node has no fault, but for those conjuncts."""
        return tuple(taken for taken, false in self.paths if {*without}.issuperset(false))

    def conjuncts(self) -> frozenset[str]:
        """The conjuncts of such nodes."""
        return frozenset(name for _, false in self.paths for name in false)


class Runs(msgspec.Struct, frozen=True):
    """The cases of a protocol in a world, within a time limit.

    `installed` and `caches` are of the specification, and `looked_up` are the texts that its sets and tables may hold.
    `without` are conjuncts that the hypotheses leave out.
    """

    world: Callable[[Path], World]
    installed: Installed
    caches: Caches
    seconds_left: Callable[[], float]
    looked_up: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()
    journal: Journal | None = None

    def along(self, run: Callable[[Path, World], Any], begun: Any = ((),)) -> Iterator[Ended[Any]]:
        """The results of a function of a path and its world, with the stand-ins, and without symbols in caches."""

        def within(path: Path) -> Any:
            try:
                return self._within(path, run)
            except UsageError:
                raise
            # The functions of a world are the user's, and may raise anything.
            except Exception as error:
                path.model()
                raise Undecided(f"{type(error).__name__}: {str(error).replace(MARK, '')}") from error
            except Pruned:
                # What code made of an exception may have excluded the path.
                path.settle()
                raise
            finally:
                self.installed.restore()
                self.caches.forget()

        yield from every_path(within, self.seconds_left, begun, self.journal)

    def _within(self, path: Path, run: Callable[[Path, World], Any]) -> Any:
        world = self.world(path)
        world = msgspec.structs.replace(world, protocol=unwatched(world.protocol))
        self.installed.put({**BUILT_IN, **world.stand_ins})
        path.roots, path.looked_up = self.installed.roots, self.looked_up
        result = run(path, world)
        path.settle()
        return result

    def survey(self, role: str) -> Survey:
        """All paths of the predicates along any node of that role."""
        ends = self.along(partial(_node_faults, role=role))
        return Survey(tuple((tuple(end.path.taken), tuple(fault.rule for fault in end.result)) for end in ends))

    def of_messages(self, kinds: tuple[Any, ...]) -> tuple[str, ...]:
        """The conjuncts of messages of those kinds."""
        predicates = (partial(_message_faults, kind=kind) for kind in kinds)
        faults = (fault for predicate in predicates for ended in self.along(predicate) for fault in ended.result)
        return tuple(dict.fromkeys(fault.rule for fault in faults))

    def node(self, path: Path, world: World, role: str) -> tuple[Any, Any]:
        """Any node of that role without a fault, and its state. Prunes the path if there is none."""
        me, local = _node(path, world, role)
        self._suppose(faults_of(path, world.protocol.legitimacy.node_faults, world.anchor, me, local))
        return me, local

    def _suppose(self, faults: tuple[Fault, ...]) -> None:
        if any(fault.rule not in self.without for fault in faults):
            raise Pruned

    def tried(self, case: Case, begun: tuple[Decisions, ...], conjuncts: int) -> Tried:
        """A case along all paths from those beginnings, or until a step breaks a conjunct."""
        start, paths, satisfiable, bounds = CLOCK(), 0, 0, dict[str, int]()
        reason = broken = None
        try:
            for ended in self.along(lambda path, world: self.step(path, world, case), begun):
                paths += 1
                bounds |= ended.path.bounds
                satisfiable += ended.result is not None
                if satisfiable == 1 and ended.result is not None:
                    conjuncts += len(ended.result.world.kept)
                if ended.result is not None and ended.result.broken:
                    broken = ended
                    break
        except Undecided as undecided:
            reason = str(undecided)
        return Tried(str(case), conjuncts, paths, satisfiable, CLOCK() - start, reason, broken, bounds)

    def step(self, path: Path, world: World, case: Case) -> Step | None:
        """A step of the case from a legitimate state; None if there is no rule for it. Prunes all other paths."""
        protocol = world.protocol
        me, local = self.node(path, world, case.role)
        sleeps = is_so(path, "asleep", protocol.environment.asleep, local)
        taken, spelled = self._input(path, world, case, me, sleeps), len(path.spelled)
        try:
            with Heard(path):
                choices = protocol.actor.choices(me, local, taken)
                choice = choices[path.choose(len(choices))]
                outcome = protocol.actor.react(me, local, taken, choice)
        except ValueError as error:
            place = origin(error)
            if not is_raised(place, self.installed.roots):
                raise Undecided(f"{type(error).__name__}: {str(error).replace(MARK, '')}") from error
            check_spelled(path, spelled, error, place)
            return None
        check_spelled(path, spelled)
        unkept = (
            name
            for name, holds in world.kept.items()
            if not is_so(path, f"World.kept[{name!r}]", holds, me, local, taken, outcome)
        )
        broken = tuple(dict.fromkeys((*_broken(path, world, me, local, sleeps, outcome), *unkept)))
        return Step(me, local, taken, choice, outcome, tuple(one for one in broken if one not in self.without), world)

    def _input(self, path: Path, world: World, case: Case, me: Any, sleeps: bool) -> Input:
        if case.message is None and case.command is None:
            if sleeps:
                raise Pruned
            return Timeout()
        values = Values(path, world.builders, world.most)
        value = values.struct(case.message or case.command)
        if faults_of(path, world.protocol.naming.malformed, value):
            raise Pruned
        if case.command is not None:
            return Commanded(value)
        if not sleeps:
            self._suppose(faults_of(path, world.protocol.legitimacy.message_faults, world.anchor, me, value))
        return Received(value)


def _node(path: Path, world: World, role: str) -> tuple[Any, Any]:
    """Any node of that role with a well-formed state that agrees with the anchor."""
    protocol = world.protocol
    fixed = [name for name, of in protocol.vocabulary.fixed.items() if of == role]
    path.fixed = {name: -1 - number for number, name in enumerate(protocol.vocabulary.fixed)}
    me = fixed[0] if fixed else _any_node(path, world, "me")
    local = (
        world.states[role](me)
        if role in world.states
        else Values(path, world.builders, world.most).struct(protocol.vocabulary.roles[role])
    )
    if faults_of(path, protocol.naming.malformed, local):
        raise Pruned
    if not _agrees(path, world, me, local):
        raise Pruned
    return me, local


def _agrees(path: Path, world: World, me: Any, local: Any) -> bool:
    """Whether the anchor is one in which a node has the share of its state."""
    share = told(path, "share", world.protocol.legitimacy.share, local)
    return is_so(path, "World.agrees", world.agrees, me, share)


def _any_node(path: Path, world: World, name: str) -> Any:
    return world.name(name) if world.name else Values(path, world.builders, world.most).text("name", name)


def _node_faults(path: Path, world: World, role: str) -> tuple[Fault, ...]:
    me, local = _node(path, world, role)
    return faults_of(path, world.protocol.legitimacy.node_faults, world.anchor, me, local)


def _message_faults(path: Path, world: World, kind: Any) -> tuple[Fault, ...]:
    path.fixed = {name: -1 - number for number, name in enumerate(world.protocol.vocabulary.fixed)}
    message = Values(path, world.builders, world.most).struct(kind)
    if faults_of(path, world.protocol.naming.malformed, message):
        raise Pruned
    target = _any_node(path, world, "target")
    return faults_of(path, world.protocol.legitimacy.message_faults, world.anchor, target, message)


def _broken(path: Path, world: World, me: Any, local: Any, sleeps: bool, outcome: Outcome) -> Iterator[str]:
    """The conjuncts that are false after a step."""
    protocol = world.protocol
    legitimacy, after = protocol.legitimacy, outcome.local
    if any(
        faults_of(path, protocol.naming.malformed, one) for one in (after, *(sent.message for sent in outcome.sends))
    ):
        yield FORM
    if sleeps and not is_so(path, "asleep", protocol.environment.asleep, after):
        yield SLEEP
    if after is not local and not _agrees(path, world, me, after):
        yield SHARE
    if after is not local:
        yield from (fault.rule for fault in faults_of(path, legitimacy.node_faults, world.anchor, me, after))
    for send in outcome.sends:
        if is_so(path, "World.awake", world.awake, send.target):
            faults = faults_of(path, legitimacy.message_faults, world.anchor, send.target, send.message)
            yield from (fault.rule for fault in faults)
