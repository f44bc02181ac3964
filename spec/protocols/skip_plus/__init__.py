"""The Skip+ graph and the algorithm ALG+, after a talk on Jacob, Richa, Scheideler, Schmid and Täubig."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

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
from gomboc.spec.protocols.skip_plus import legitimacy
from gomboc.spec.protocols.skip_plus.disturbances import disturbances
from gomboc.spec.protocols.skip_plus.environment import environment
from gomboc.spec.protocols.skip_plus.errata import VARIANTS
from gomboc.spec.protocols.skip_plus.names import misnamed
from gomboc.spec.protocols.skip_plus.parameters import Parameters, parameters_of
from gomboc.spec.protocols.skip_plus.premise import premise, projection
from gomboc.spec.protocols.skip_plus.rules import Rules, fired, rule
from gomboc.spec.protocols.skip_plus.space import ROLE, bound, space, start
from gomboc.spec.protocols.skip_plus.state import FIELDS, SPEAKERS, Command, Message, Node
from gomboc.spec.types.kinds import Suspect

OURS = Rules()


def skip_plus_with(rules: Rules, parameters: Parameters) -> Protocol:
    """The protocol with those rules and parameters, without its errata."""
    own_rules, rules = rules, replace(rules, layered=parameters.layered, most_names=parameters.most_names)
    return Protocol(
        name="skip_plus",
        discipline=Discipline.ROUNDS if parameters.synchronous else Discipline.UNORDERED,
        vocabulary=Vocabulary(roles={ROLE: Node}, member=ROLE, message=Message, command=Command, speakers=SPEAKERS),
        actor=Actor(react=rules.react, rule=rule, choices=rules.choices, fired=partial(fired, rules)),
        legitimacy=Legitimacy(
            anchor=legitimacy.anchor,
            node_faults=legitimacy.node_faults,
            message_faults=legitimacy.message_faults,
            share=legitimacy.share,
        ),
        starts=Starts(
            space=partial(space, most_names=parameters.most_names),
            start=start,
            bound=partial(bound, most_names=parameters.most_names),
        ),
        environment=Environment(offers=environment, disturbances=disturbances, quiet_if_idle=(Suspect,)),
        promises=Promises(premise=premise, projection=projection),
        naming=Naming(
            malformed=partial(FIELDS.malformed, parameters),
            named=FIELDS.named,
            renamed=FIELDS.renamed,
            misnamed=misnamed,
        ),
        variants=Variants(parameters=Parameters.__struct_fields__, configured=partial(configured, own_rules)),
    )


def configured(rules: Rules, header: Mapping[str, Any]) -> Protocol:
    """The protocol with those rules and the parameters in the header of a trace. Our rules come with their errata."""
    parameters = parameters_of(header)
    return _made(parameters) if rules == OURS else skip_plus_with(rules, parameters)


@cache
def _made(parameters: Parameters) -> Protocol:
    """The protocol with those parameters and, as its errata, with each printed rule instead of ours."""
    variants = {name: skip_plus_with(rules, parameters) for name, rules in VARIANTS.items()}
    return skip_plus_with(OURS, parameters).changed(errata=read_errata(__name__, variants))


PROTOCOL = _made(Parameters())
