"""The judgement of one trace: conformance, closure and convergence in one pass."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import listed, suggestion
from gomboc.checker.judge.claims import conforms
from gomboc.checker.judge.conformance import Conformance
from gomboc.checker.judge.promises import Promises, unjudged
from gomboc.checker.judge.stabilisation import Stabilisation
from gomboc.checker.judge.system import System, is_command
from gomboc.checker.judge.unknown import EMPTY, assumption_broken, not_canonical, only_first
from gomboc.checker.judge.verdict import Bound, Holds, Judgement, Unknown, Verdict
from gomboc.checker.traces.trace import Header, Step, TraceReader, open_trace
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
    run = _Run(protocol, header, bound.rounds, options.every)
    for step in reader.steps():
        if run.steps == options.most_steps:
            run.was_cut = True
            break
        run.take(step)
    return run.judgement(str(reader.path), members, bound)


def bound_of(option: int | None, header: int | None, protocol: int) -> Bound:
    """The bound that applies: the caller's, or else the header's, or else the protocol's."""
    if option is not None:
        return Bound(option, "option")
    return Bound(protocol, "protocol") if header is None else Bound(header, "header")


class _Run:
    """One pass over a trace: each step is judged, and then followed.

    Conformance is judged to the end of the trace, and all else as long as every value is canonical and the operating
    assumption holds.
    """

    def __init__(self, protocol: Protocol, header: Header, bound: int, every: bool) -> None:
        self.steps = 0
        self.was_cut = False
        self._protocol = protocol
        self._system = System(header, protocol)
        self._conformance = Conformance(protocol, self._system, every)
        self._conformance.judge_start(header.messages)
        self._assumed_at, self._broken = 0, tuple[Fault, ...]()
        if self._conformance.malformed_at is None:
            self._broken = assumption_faults(protocol, *self._system.now)
        self._judges: tuple[Stabilisation, Promises] | None = None
        if self._goes_on():
            self._judges = Stabilisation(protocol, self._system, bound), Promises(protocol, self._system)

    def _goes_on(self) -> bool:
        """Whether more than conformance is judged."""
        return not self._broken and self._conformance.malformed_at is None

    def take(self, step: Step) -> None:
        """Judge the next step, and follow it."""
        self.steps += 1
        self._conformance.judge_step(self.steps, step)
        commanded = is_command(step) and self._goes_on()
        # A command tells its node of the states before it.
        misreports = self._protocol.promises.misreports(self._system.states, step.node, step.took) if commanded else ()
        taken = self._system.apply(step)
        self._conformance.observe(step)
        if commanded:
            self._assumed_at = self.steps
            self._broken = assumption_faults(self._protocol, *self._system.now, commanded=True) or misreports
        if self._judges is not None and self._goes_on():
            stabilisation, promises = self._judges
            stabilisation.observe(self.steps, step, taken)
            promises.observe(self.steps, step, self._conformance.violated is None)

    def judgement(self, trace: str, members: int, bound: Bound) -> Judgement:
        """The judgement of the steps so far as those of the whole trace."""
        halted, further = self._halted(), self._conformance.further
        unknown = Unknown((halted or "") if self.steps else EMPTY)
        conformance = self._conformance.violated or self._conforms(unknown)
        beginning = trace, self._protocol.name, members, self.steps, conformance
        if self._judges is None:
            promised = unjudged(self._protocol, halted or "")
            return Judgement(*beginning, unknown, unknown, None, 0, promised, further, bound)
        stabilisation, promises = self._judges
        both = stabilisation.closure_and_convergence(halted) if self.steps else (unknown, unknown)
        rounds = stabilisation.rounds, stabilisation.rounds_after
        promised = promises.verdicts(halted if self.steps else EMPTY)
        return Judgement(*beginning, *both, *rounds, promised, further, bound)

    def _conforms(self, unknown: Unknown) -> Verdict:
        """The verdict on conformance if no step violates it."""
        return unknown if self.was_cut or not self.steps else Holds(conforms(self.steps))

    def _halted(self) -> str | None:
        """The reason why not all was judged to the end of the trace; None if it was."""
        if self._broken:
            return assumption_broken(self._assumed_at, self._broken[0])
        if self._conformance.malformed_at is not None:
            return not_canonical(self._conformance.malformed_at)
        return only_first(self.steps) if self.was_cut else None
