"""HyParView after Leitao, Pereira and Rodrigues 2007, with a broadcast that recovers what it has missed."""

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
from gomboc.spec.protocols.hyparview import legitimacy
from gomboc.spec.protocols.hyparview.cited import rule
from gomboc.spec.protocols.hyparview.disturbances import disturbances
from gomboc.spec.protocols.hyparview.environment import environment
from gomboc.spec.protocols.hyparview.errata import VARIANTS
from gomboc.spec.protocols.hyparview.parameters import Parameters, parameters_of
from gomboc.spec.protocols.hyparview.premise import premise, projection
from gomboc.spec.protocols.hyparview.promises import OBSERVERS
from gomboc.spec.protocols.hyparview.rules import Rules
from gomboc.spec.protocols.hyparview.space import ROLE, bound, space, start
from gomboc.spec.protocols.hyparview.state import FIELDS, SPEAKERS, Command, Message, Node, asleep
from gomboc.spec.types.kinds import Suspect
from gomboc.spec.types.parameters import told


def hyparview_with(rules: Rules) -> Protocol:
    """The protocol with those rules and their parameters, without its errata."""
    parameters = rules.parameters
    return Protocol(
        name="hyparview",
        discipline=Discipline.UNORDERED,
        vocabulary=Vocabulary(roles={ROLE: Node}, member=ROLE, message=Message, command=Command, speakers=SPEAKERS),
        actor=Actor(react=rules.react, rule=rule, choices=rules.choices),
        legitimacy=Legitimacy(
            anchor=legitimacy.anchor,
            node_faults=partial(legitimacy.node_faults, parameters),
            message_faults=partial(legitimacy.message_faults, parameters),
            anchor_faults=legitimacy.anchor_faults,
            share=legitimacy.share,
            defined="decided here",
        ),
        starts=Starts(
            space=partial(space, parameters), start=partial(start, parameters), bound=partial(bound, parameters)
        ),
        environment=Environment(
            offers=partial(environment, parameters),
            disturbances=partial(disturbances, parameters),
            asleep=asleep,
            quiet=(Suspect,),
        ),
        promises=Promises(premise=partial(premise, parameters), projection=projection, observers=OBSERVERS),
        naming=Naming(malformed=partial(FIELDS.malformed, parameters), named=FIELDS.named, renamed=FIELDS.renamed),
        variants=Variants(
            parameters=Parameters.__struct_fields__,
            configured=configured,
            given=told(parameters),
            publishing={"key_bits": parameters.key_bits},
        ),
    )


def configured(parameters: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters in the header of a trace. Raises ValueError if they are invalid."""
    return _made(parameters_of(parameters))


@cache
def _made(parameters: Parameters) -> Protocol:
    """The protocol with those parameters, and its errata: each with a rule instead of ours."""
    variants = {name: hyparview_with(rules(parameters)) for name, rules in VARIANTS.items()}
    return hyparview_with(Rules(parameters)).changed(errata=read_errata(__name__, variants))


PROTOCOL = _made(Parameters())
