"""Delta-fault-tolerant publish-subscribe, after Kazemzadeh and Jacobsen 2007."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from gomboc.spec.core.pinned import read_errata
from gomboc.spec.core.protocol import (
    Actor,
    Discipline,
    Environment,
    Legitimacy,
    Naming,
    Promises,
    Protocol,
    Starts,
    Variants,
    Vocabulary,
)
from gomboc.spec.protocols.delta_fault_tolerance import legitimacy
from gomboc.spec.protocols.delta_fault_tolerance.broker import OURS, Replaced
from gomboc.spec.protocols.delta_fault_tolerance.commands import Command
from gomboc.spec.protocols.delta_fault_tolerance.disturbances import disturbances
from gomboc.spec.protocols.delta_fault_tolerance.environment import environment, projection, without_effect
from gomboc.spec.protocols.delta_fault_tolerance.errata import VARIANTS
from gomboc.spec.protocols.delta_fault_tolerance.messages import SPEAKERS, Message
from gomboc.spec.protocols.delta_fault_tolerance.names import misnamed
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters, parameters_of
from gomboc.spec.protocols.delta_fault_tolerance.premise import assumption, misreports
from gomboc.spec.protocols.delta_fault_tolerance.promises import OBSERVERS
from gomboc.spec.protocols.delta_fault_tolerance.rules import cited, react
from gomboc.spec.protocols.delta_fault_tolerance.space import ROLE, bound, space, start
from gomboc.spec.protocols.delta_fault_tolerance.state import FIELDS, Node, asleep
from gomboc.spec.types.parameters import told


def protocol_with(parameters: Parameters, replaced: Replaced = OURS) -> Protocol:
    """The protocol with those parameters and those rules in place of ours, without its errata."""
    return Protocol(
        name="delta_fault_tolerance",
        discipline=Discipline.FIFO,
        vocabulary=Vocabulary(roles={ROLE: Node}, member=ROLE, message=Message, command=Command, speakers=SPEAKERS),
        actor=Actor(react=partial(react, parameters, replaced), rule=partial(cited, parameters)),
        legitimacy=Legitimacy(
            anchor=legitimacy.anchor,
            node_faults=partial(legitimacy.node_faults, parameters),
            message_faults=partial(legitimacy.message_faults, parameters),
            share=legitimacy.share,
            defined="Section 4.3, consistency",
        ),
        starts=Starts(
            space=partial(space, parameters), start=partial(start, parameters), bound=partial(bound, parameters)
        ),
        environment=Environment(
            offers=environment,
            disturbances=partial(disturbances, parameters),
            asleep=asleep,
            without_effect=without_effect(parameters),
        ),
        promises=Promises(
            assumption=partial(assumption, parameters),
            misreports=misreports,
            projection=projection,
            observers=OBSERVERS,
        ),
        naming=Naming(
            malformed=partial(FIELDS.malformed, parameters),
            named=FIELDS.named,
            renamed=FIELDS.renamed,
            misnamed=misnamed,
        ),
        variants=Variants(parameters=Parameters.__struct_fields__, configured=configured, given=told(parameters)),
    )


def configured(header: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters in the header of a trace. Raises ValueError for those that make no sense."""
    return _made(parameters_of(header))


@cache
def _made(parameters: Parameters) -> Protocol:
    """The protocol with those parameters and, beside it, with each printed rule instead of ours."""
    variants = {name: protocol_with(parameters, replaced) for name, replaced in VARIANTS.items()}
    return protocol_with(parameters).changed(errata=read_errata(__name__, variants))


PROTOCOL = _made(Parameters())
