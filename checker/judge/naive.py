"""The judgement of one trace: conformance, closure and convergence in one pass."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import listed, suggestion
from gomboc.checker.judge.claims import conforms
from gomboc.checker.judge.conformance import Conformance
from gomboc.checker.judge.promises import Promises, promise_names
from gomboc.checker.judge.stabilisation import Stabilisation
from gomboc.checker.judge.system import System, is_command
from gomboc.checker.judge.unknown import EMPTY, assumption_broken, only_first
from gomboc.checker.judge.verdict import Bound, Holds, Judgement, Promised, Unknown, Verdict, Violated
from gomboc.checker.traces.trace import Sent, Step, TraceReader, open_trace
from gomboc.spec.core.faults import assumption_faults
from gomboc.spec.core.model import Fault
from gomboc.spec.core.protocol import Protocol, configured
from gomboc.spec.core.registry import find_protocol, protocol_names


def find_variant(name: str, variant: str | None, parameters: Mapping[str, Any]) -> Protocol:
    """The protocol of that name with those parameters, or one of its printed variants.

    Raises UsageError for an unknown variant, and for parameters that make no sense.
    """
    try:
        protocol = configured(find_protocol(name), parameters)
    except ValueError as error:
        raise UsageError(f"{str(error).rstrip('.')}.") from error
    return printed(protocol, name, variant)


def printed(protocol: Protocol, name: str, variant: str | None) -> Protocol:
    """The printed variant of a protocol; itself without one. Raises UsageError for an unknown variant."""
    if variant is None:
        return protocol
    for erratum in protocol.variants.errata:
        if erratum.name == variant:
            return erratum.protocol
    known = [erratum.name for erratum in protocol.variants.errata]
    near = suggestion(variant, known)
    raise UsageError(f"{name} has no printed variant {variant!r}; {listed('it has', known)}.{near}")


def check_variant(variant: str | None) -> None:
    """Raise UsageError for a variant that no protocol has."""
    if variant is None:
        return
    known = [erratum.name for name in protocol_names() for erratum in find_protocol(name).variants.errata]
    if variant not in known:
        near = suggestion(variant, known)
        raise UsageError(f"No protocol has a printed variant {variant!r}; {listed('there are', known)}.{near}")


class Options(msgspec.Struct, frozen=True):
    """Options of judging.

    With `variant`, a trace is judged by a rule as printed instead of ours. `bound` overrides the rounds within which it
    must become legitimate. After `most_steps` steps, verdicts that are not violated are unknown. With `every`, each
    step is judged, also after one that does not conform.
    """

    variant: str | None = None
    bound: int | None = None
    most_steps: int | None = None
    every: bool = False


DEFAULT = Options()


def judge_file(path: Path, options: Options = DEFAULT) -> Judgement:
    """Judge the trace at `path`. Raises UsageError if it cannot be read."""
    with open_trace(path) as reader:
        return judge(reader, options)


def judge(reader: TraceReader, options: Options) -> Judgement:
    """Judge the trace that `reader` reads. Raises UsageError if it cannot be read to its end."""
    header = reader.header
    protocol = printed(reader.protocol, header.protocol, options.variant)
    members = sum(role == protocol.vocabulary.member for role in header.roles.values())
    bound = bound_of(options.bound, header.bound, protocol.starts.bound(members))
    run = _Run(protocol, reader, bound.rounds, options.every)
    for step in reader.steps():
        if run.steps == options.most_steps:
            run.cut()
            break
        run.take(step)
    verdicts = *run.verdicts(), *run.rounds, run.promises(), run.further
    return Judgement(str(reader.path), protocol.name, members, run.steps, *verdicts, bound)


def bound_of(option: int | None, header: int | None, protocol: int) -> Bound:
    """The bound that applies: the caller's, or else the header's, or else the protocol's."""
    if option is not None:
        return Bound(option, "option")
    return Bound(protocol, "protocol") if header is None else Bound(header, "header")


class _Run:
    """One pass over a trace. After a step that does not conform, conformance is settled and the rest goes on."""

    def __init__(self, protocol: Protocol, reader: TraceReader, bound: int, every: bool) -> None:
        self._every = every
        self._further: dict[str, Violated] = {}
        self.steps = 0
        self._protocol = protocol
        self._system = System(reader.header, protocol)
        self._conformance = Conformance(protocol, self._system)
        self._violated = self._conformance.judge_start(reader.header.messages)
        self._unsent: int | None = None
        self._halted: str | None = None
        self._cut = False
        self._stabilisation: Stabilisation | None = None
        self._promises: Promises | None = None
        if self._violated is not None and self._violated.rule == "canonical":
            self.halt("a value before the first step is not canonical")
        else:
            self._assume()
        if self._halted is None:
            self._stabilisation = Stabilisation(protocol, self._system, bound)
            self._promises = Promises(protocol, self._system) if promise_names(protocol) else None

    def halt(self, why: str) -> None:
        """Judge closure and convergence no further."""
        self._halted = self._halted or why

    def cut(self) -> None:
        """Stop judging here, and claim nothing about later steps."""
        self._cut = True
        self.halt(only_first(self.steps))

    @property
    def rounds(self) -> tuple[int | None, int]:
        """Rounds until the system was legitimate, and rounds for which it then stayed so."""
        if self._stabilisation is None:
            return None, 0
        return self._stabilisation.rounds, self._stabilisation.rounds_after

    def take(self, step: Step) -> None:
        """Judge the next step, and follow it."""
        self.steps += 1
        malformed = self._conformance.malformed(self.steps, step)
        if malformed is not None:
            self.halt(f"a value of step {self.steps} is not canonical")
        if self._violated is None:
            self._violated = self._conformance.judge(self.steps, step, malformed)
            if self._violated is not None and self._violated.rule == "known_message":
                self._unsent = step.took
        elif self._every:
            self._note(self._conformance.judge(self.steps, step, malformed))
        if self._violated and self._unsent is not None and any(sent.id == self._unsent for sent in step.sent):
            self._violated = _before_it_was_sent(self._violated, self._unsent, self.steps)
            self._unsent = None
        misreports = self._misreports(step)
        taken = self._system.apply(step)
        self._conformance.observe(step)
        if is_command(step) and self._halted is None:
            self._assume(commanded=True, misreports=misreports)
        if self._halted is None:
            self._observe(step, taken)

    def _note(self, further: Violated | None) -> None:
        if further is not None:
            self._further.setdefault(further.rule, further)

    @property
    def further(self) -> tuple[Violated, ...]:
        """The first step that breaks each rule other than that of the very first violation."""
        first = None if self._violated is None else self._violated.rule
        return tuple(violated for rule, violated in self._further.items() if rule != first)

    def _observe(self, step: Step, taken: Sent | None) -> None:
        assert self._stabilisation is not None, "a run that is not judged from its start is halted"
        self._stabilisation.observe(self.steps, step, taken)
        if self._promises is not None:
            self._promises.observe(self.steps, step, self._violated is None)

    def _assume(self, commanded: bool = False, misreports: tuple[Fault, ...] = ()) -> None:
        """Stop judging if the operating assumption is broken, at the start or after a command and what it has told."""
        broken = assumption_faults(self._protocol, *self._system.now, commanded) or misreports
        if broken:
            self.halt(assumption_broken(self.steps, broken[0]))

    def _misreports(self, step: Step) -> tuple[Fault, ...]:
        """The faults of what a step's command is about to tell its node."""
        if not is_command(step) or self._halted is not None:
            return ()
        return self._protocol.promises.misreports(self._system.states, step.node, step.took)

    def _conforms(self) -> Verdict:
        if self._cut:
            return Unknown(self._halted or "")
        return Holds(conforms(self.steps))

    def verdicts(self) -> tuple[Verdict, Verdict, Verdict]:
        """Conformance, closure and convergence."""
        if not self.steps:
            nothing = Unknown(EMPTY)
            return self._violated or nothing, nothing, nothing
        conformance = self._violated or self._conforms()
        if self._stabilisation is None:
            return conformance, Unknown(self._halted or ""), Unknown(self._halted or "")
        verdicts = self._stabilisation.closure_and_convergence()
        if self._halted is None:
            return conformance, *verdicts
        closure, convergence = (v if isinstance(v, Violated) else Unknown(self._halted) for v in verdicts)
        return conformance, closure, convergence

    def promises(self) -> tuple[Promised, ...]:
        """The verdicts on the promises that the protocol states by name."""
        if self._promises is not None:
            return self._promises.verdicts(self._halted if self.steps else EMPTY)
        unknown = Unknown(self._halted or "")
        return tuple(Promised(name, unknown) for name in promise_names(self._protocol))


def _before_it_was_sent(violated: Violated, message: int, sent_at: int) -> Violated:
    says = f"message {message} is delivered before it is sent, at step {sent_at}"
    return Violated(violated.step, "sent_before_delivered", says, violated.node)
