"""Counterexamples as files: a trace that the judge confirms if the model is a protocol, otherwise ITF."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

import msgspec

from gomboc.checker.core.output import write_whole
from gomboc.checker.explore.questions.target import Target
from gomboc.checker.explore.results.finding import Finding, Run
from gomboc.checker.explore.results.itf import itf
from gomboc.checker.explore.results.recording import player_at, take, take_cycle, take_round, unrolled
from gomboc.checker.judge.naive import Options, judge
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.checker.simulate.spec_runner import Lines, encoded
from gomboc.checker.summary.repro_command import check_again
from gomboc.checker.traces.trace import TraceReader
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Model
from gomboc.spec.core.protocol import Protocol, configured
from gomboc.spec.core.registry import find_protocol, protocol_names
from gomboc.spec.core.shared_memory import SharedMemory

ROUNDS = 3
"""Number of rounds within which the run of a saved trace would have to become legitimate."""

MOST_CYCLES = 2 * (ROUNDS + 1)
"""Number of cycles of a fair lasso that contain ROUNDS rounds.

A message is delivered in the cycle in which it is sent, or in the next one.
"""

LEADS_ON = "it leads to what is unknown, and violates nothing by itself"
"""The reason why there is nothing to confirm in the run of an unknown finding."""


class Saved(msgspec.Struct, frozen=True):
    """The path of a run, and the command by which the judge confirms the violation in it; else why it does not."""

    path: str
    confirm: str = ""
    why: str = ""


def save(target: Target, finding: Finding, path: Path) -> Saved:
    """Write the run of a finding to a file of that name, with the suffix of its format."""
    assert finding.run is not None, "only a finding with a run can be saved"
    model = target.model
    if isinstance(model, Model | SharedMemory):
        return _save_itf(target, finding, finding.run, path, "the model is no protocol, and has no judge")
    if isinstance(model, Instance) and len(model.alike) > 1:
        return _save_itf(target, finding, finding.run, path, "states that differ by names only were taken as one")
    variant = rules_of(model.protocol)
    if variant is None:
        return _save_itf(
            target, finding, finding.run, path, f"the judge knows no {model.protocol.name} with these rules"
        )
    return _save_trace(target, finding, finding.run, path, model.protocol, variant)


def rules_of(protocol: Protocol) -> str | None:
    """The erratum with the rules of a protocol; "" for our own rules; None if no variant has these rules."""
    if protocol.name not in protocol_names():
        return None
    ours = configured(find_protocol(protocol.name), protocol.variants.given)
    known = [("", ours), *((erratum.name, erratum.protocol) for erratum in ours.variants.errata)]
    return next((name for name, rules in known if rules.actor.react == protocol.actor.react), None)


def story(target: Target, finding: Finding) -> str:
    """The violation that the run of a finding demonstrates, or the reason why it is unknown."""
    match finding.verdict:
        case Violated(says=says):
            return f"{target.name}: {finding.promise}: {says}"
        case Unknown(why):
            return f"{target.name}: {finding.promise} is unknown: {why}"
    raise AssertionError("a finding that holds has no run")


def _save_itf(target: Target, finding: Finding, run: Run, path: Path, why: str) -> Saved:
    chosen = path.with_name(f"{path.name}.itf.json")
    text = msgspec.json.encode(itf(run, story(target, finding)))
    write_whole(chosen, msgspec.json.format(text, indent=1) + b"\n")
    return Saved(str(chosen), why=why)


def _save_trace(target: Target, finding: Finding, run: Run, path: Path, protocol: Protocol, variant: str) -> Saved:
    """Write the shortest trace of a run that the judge confirms, or the longest if it confirms none."""
    chosen = path.with_name(f"{path.name}.jsonl")
    specification = f"{protocol.name}.{variant}" if variant else protocol.name
    origin = {
        "implementation": f"the specification of {specification}",
        "command": target.command,
        "story": story(target, finding),
    }
    extra = {"origin": origin} | ({"bound": ROUNDS} if finding.promise == "convergence" else {})
    confirmed, text = False, b""
    roles = {name: role for name, role, _ in target.model.locals} if isinstance(target.model, Instance) else {}
    unknown = isinstance(finding.verdict, Unknown)
    for lines in traces_of(protocol, "" if unknown else finding.promise, run, roles):
        text = encoded([lines[0] | extra, *lines[1:]])
        confirmed = not unknown and confirms(chosen, text, variant, finding.promise)
        if confirmed:
            break
    write_whole(chosen, text)
    if confirmed:
        return Saved(str(chosen), check_again(chosen, Options(variant or None)))
    return Saved(str(chosen), why=LEADS_ON if unknown else "the judge does not find the same in it")


def traces_of(
    protocol: Protocol, promise: str, run: Run, roles: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Lines]:
    """Ever longer traces of a run, as far as it is possible in unbounded channels.

    Its cycle is repeated, or fair rounds follow it. A run that does not converge continues for some rounds; any other
    one ends with the step that decides the verdict.
    """
    run = unrolled(run)
    player = player_at(protocol, run.states[0], roles)
    way = run.actions if run.back is None else run.actions[: run.back]
    for act in way:
        take(player, act)
    if promise != "convergence":
        yield player.lines
        return
    for _ in range(MOST_CYCLES):
        if run.back is None:
            take_round(player)
        else:
            take_cycle(player, run.actions[run.back :])
        yield player.lines


def confirms(path: Path, text: bytes, variant: str, promise: str) -> bool:
    """Whether the judge finds that the trace breaks the promise, and has no other violation.

    Promises over states and histories may be broken together.
    """
    judgement = judge(TraceReader(path, BytesIO(text)), Options(variant or None))
    besides = {promised.name for promised in judgement.promises} - {promise}
    rules = {verdict.rule for verdict in judgement.violations()} - besides
    return rules == {promise} and (promise == "canonical" or isinstance(judgement.conformance, Holds))
