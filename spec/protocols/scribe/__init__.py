"""Scribe: the tree of one topic over any overlay that delivers routes, its publications, and the owner's method."""

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
from gomboc.spec.layers.routing import StillRouted
from gomboc.spec.protocols.scribe import legitimacy
from gomboc.spec.protocols.scribe.cited import rule
from gomboc.spec.protocols.scribe.disturbances import disturbances
from gomboc.spec.protocols.scribe.environment import environment
from gomboc.spec.protocols.scribe.errata import VARIANTS
from gomboc.spec.protocols.scribe.parameters import Parameters, parameters_of
from gomboc.spec.protocols.scribe.premise import premise, projection
from gomboc.spec.protocols.scribe.promises import OBSERVERS
from gomboc.spec.protocols.scribe.rules import Rules
from gomboc.spec.protocols.scribe.space import ROLE, bound, space, start
from gomboc.spec.protocols.scribe.state import (
    FIELDS,
    SPEAKERS,
    Command,
    Heard,
    Message,
    MethodReply,
    MethodRequest,
    Node,
    named,
)
from gomboc.spec.types.kinds import Suspect
from gomboc.spec.types.parameters import told


def scribe_with(rules: Rules) -> Protocol:
    """The protocol with those rules and their parameters, without its errata."""
    parameters = rules.parameters
    return Protocol(
        name="scribe",
        discipline=Discipline.UNORDERED,
        vocabulary=Vocabulary(roles={ROLE: Node}, member=ROLE, message=Message, command=Command, speakers=SPEAKERS),
        actor=Actor(react=rules.react, rule=rule, choices=rules.choices),
        legitimacy=Legitimacy(
            anchor=legitimacy.anchor,
            node_faults=partial(legitimacy.node_faults, parameters),
            message_faults=partial(legitimacy.message_faults, parameters),
            anchor_faults=legitimacy.anchor_faults,
            share=legitimacy.share,
            defined=legitimacy.TREES,
        ),
        starts=Starts(
            space=partial(space, parameters=parameters),
            start=partial(start, parameters=parameters),
            bound=partial(bound, parameters=parameters),
        ),
        environment=Environment(
            offers=environment,
            disturbances=partial(disturbances, parameters=parameters),
            asleep=legitimacy.asleep,
            quiet_if_idle=(StillRouted, Suspect, Heard),
            without_effect=(MethodRequest, MethodReply, Heard) if parameters.high is None else (),
        ),
        promises=Promises(premise=premise, projection=projection, observers=OBSERVERS),
        naming=Naming(malformed=partial(FIELDS.malformed, parameters), named=named, renamed=FIELDS.renamed),
        variants=Variants(
            parameters=Parameters.__struct_fields__,
            configured=configured,
            given=told(parameters),
            publishing={"key_bits": Parameters().key_bits},
        ),
    )


def configured(parameters: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters in the header of a trace. Raises ValueError for invalid ones."""
    return _made(parameters_of(parameters))


@cache
def _made(parameters: Parameters) -> Protocol:
    """The protocol with those parameters, and its errata: each with another rule instead of ours."""
    variants = {name: scribe_with(rules(parameters)) for name, rules in VARIANTS.items()}
    return scribe_with(Rules(parameters)).changed(errata=read_errata(__name__, variants))


PROTOCOL = _made(Parameters())
