"""Delta-fault-tolerant publish-subscribe, after Kazemzadeh and Jacobsen 2007."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from gomboc.spec.delta_fault_tolerance import legitimacy
from gomboc.spec.delta_fault_tolerance.assumption import assumption
from gomboc.spec.delta_fault_tolerance.cited import rule
from gomboc.spec.delta_fault_tolerance.disturbances import disturbances
from gomboc.spec.delta_fault_tolerance.environment import environment, gist
from gomboc.spec.delta_fault_tolerance.errata import ERRATA
from gomboc.spec.delta_fault_tolerance.naming import named
from gomboc.spec.delta_fault_tolerance.parameters import Parameters, parameters_of, told
from gomboc.spec.delta_fault_tolerance.promises import OBSERVERS
from gomboc.spec.delta_fault_tolerance.rules import Rules, choices
from gomboc.spec.delta_fault_tolerance.space import ROLE, bound, space, start
from gomboc.spec.delta_fault_tolerance.state import OF_AUDITS, OF_FAILURES, OF_JOINING, Command, Message, Node, asleep
from gomboc.spec.delta_fault_tolerance.tree import misnamed
from gomboc.spec.delta_fault_tolerance.wellformed import malformed
from gomboc.spec.protocol import Discipline, Erratum, Protocol


def protocol_with(rules: Rules) -> Protocol:
    """The protocol with those rules and their parameters, without its errata."""
    given = rules.given
    return Protocol(
        name="delta_fault_tolerance",
        discipline=Discipline.FIFO,
        roles={ROLE: Node},
        member=ROLE,
        fixed={},
        message=Message,
        command=Command,
        react=rules.react,
        choices=choices,
        rule=partial(rule, given),
        malformed=partial(malformed, given),
        anchor=legitimacy.anchor,
        anchor_faults=legitimacy.anchor_faults,
        node_faults=partial(legitimacy.node_faults, given),
        message_faults=partial(legitimacy.message_faults, given),
        space=partial(space, given),
        start=partial(start, given),
        bound=bound,
        parameters=Parameters.__struct_fields__,
        configured=configured,
        disturbances=partial(disturbances, given),
        assumption=partial(assumption, given),
        asleep=asleep,
        share=legitimacy.share,
        misnamed=misnamed,
        named=named,
        # Where nobody may fail, nobody is bypassed and nobody recovers. Not every run has somebody outside.
        without_effect=(*(() if given.delta else OF_FAILURES), *OF_JOINING, *(() if given.audit else OF_AUDITS)),
        environment=environment,
        gist=gist,
        given=told(given),
        observers=OBSERVERS,
        defined="Section 4.3, consistency",
    )


def configured(given: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters in the header of a trace. Raises ValueError for those that make no sense."""
    return _made(parameters_of(given))


@cache
def _made(parameters: Parameters) -> Protocol:
    """The protocol with those parameters and, beside it, with each printed rule instead of ours."""
    errata = tuple(
        Erratum(each.name, each.breaks, each.source, protocol_with(each.rules(parameters))) for each in ERRATA
    )
    return replace(protocol_with(Rules(parameters)), errata=errata)


PROTOCOL = _made(Parameters())
