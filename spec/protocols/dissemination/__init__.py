"""Publications over any overlay that delivers a node's neighbours: broadcast, and repaired by comparing tries."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

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
from gomboc.spec.layers.neighbourhood import Stayed
from gomboc.spec.protocols.dissemination import legitimacy
from gomboc.spec.protocols.dissemination.disturbances import disturbances
from gomboc.spec.protocols.dissemination.rules import Rules, rule
from gomboc.spec.protocols.dissemination.space import ROLE, bound, space, start
from gomboc.spec.protocols.dissemination.state import FIELDS, SPEAKERS, Command, Member, Message
from gomboc.spec.publishing.publications import Parameters, parameters_of

USUAL = Parameters(key_bits=32)
"""The parameters if a header has none."""


@cache
def _made(parameters: Parameters) -> Protocol:
    rules = Rules(parameters)
    return Protocol(
        name="dissemination",
        discipline=Discipline.UNORDERED,
        vocabulary=Vocabulary(roles={ROLE: Member}, member=ROLE, message=Message, command=Command, speakers=SPEAKERS),
        actor=Actor(react=rules.react, rule=rule, choices=rules.choices),
        legitimacy=Legitimacy(
            anchor=legitimacy.anchor,
            node_faults=partial(legitimacy.node_faults, parameters=parameters),
            message_faults=partial(legitimacy.message_faults, parameters=parameters),
            share=legitimacy.share,
            defined="Feldmann et al., Theorems 17 and 23",
        ),
        starts=Starts(space=partial(space, parameters=parameters), start=start, bound=bound),
        environment=Environment(
            disturbances=partial(disturbances, parameters=parameters), asleep=legitimacy.asleep, quiet=(Stayed,)
        ),
        promises=Promises(premise=legitimacy.premise),
        naming=Naming(malformed=partial(FIELDS.malformed, parameters), named=FIELDS.named, renamed=FIELDS.renamed),
        variants=Variants(
            parameters=Parameters.__struct_fields__, configured=configured, publishing={"key_bits": USUAL.key_bits}
        ),
    )


def configured(values: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters in the header of a trace. Raises ValueError for invalid ones."""
    return _made(parameters_of(values))


PROTOCOL = _made(USUAL)
