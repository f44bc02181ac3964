"""Publications over any overlay that delivers a node's neighbours: broadcast, and repaired by comparing tries."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from gomboc.spec.core.protocol import Discipline, Protocol
from gomboc.spec.layers.neighbourhood import Stayed
from gomboc.spec.protocols.dissemination import legitimacy
from gomboc.spec.protocols.dissemination.disturbances import disturbances
from gomboc.spec.protocols.dissemination.rules import Rules, choices, rule
from gomboc.spec.protocols.dissemination.space import ROLE, bound, space, start
from gomboc.spec.protocols.dissemination.state import FIELDS, Command, Member, Message
from gomboc.spec.publishing.publications import Parameters, parameters_of

USUAL = Parameters(key_bits=32)
"""The parameters if a header has none."""


@cache
def _made(parameters: Parameters) -> Protocol:
    return Protocol(
        name="dissemination",
        discipline=Discipline.UNORDERED,
        roles={ROLE: Member},
        member=ROLE,
        fixed={},
        message=Message,
        command=Command,
        react=Rules(parameters).react,
        choices=choices,
        rule=rule,
        malformed=partial(FIELDS.malformed, parameters),
        anchor=legitimacy.anchor,
        anchor_faults=legitimacy.anchor_faults,
        node_faults=partial(legitimacy.node_faults, parameters=parameters),
        message_faults=partial(legitimacy.message_faults, parameters=parameters),
        space=partial(space, parameters=parameters),
        start=start,
        bound=bound,
        parameters=Parameters.__struct_fields__,
        configured=configured,
        disturbances=partial(disturbances, parameters=parameters),
        premise=legitimacy.premise,
        asleep=legitimacy.asleep,
        share=legitimacy.share,
        named=FIELDS.named,
        renamed=FIELDS.renamed,
        quiet=(Stayed,),
        publishing={"key_bits": USUAL.key_bits},
        defined="Feldmann et al., Theorems 17 and 23",
    )


def configured(values: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters in the header of a trace. Raises ValueError for invalid ones."""
    return _made(parameters_of(values))


PROTOCOL = _made(USUAL)
