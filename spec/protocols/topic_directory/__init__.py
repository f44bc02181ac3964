"""The directory of topics: of all nodes of a sorted overlay, one is responsible for each topic, and knows a contact."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import msgspec

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
from gomboc.spec.protocols.topic_directory import legitimacy
from gomboc.spec.protocols.topic_directory.disturbances import disturbances
from gomboc.spec.protocols.topic_directory.rules import react, rule
from gomboc.spec.protocols.topic_directory.space import ROLE, bound, space, start
from gomboc.spec.protocols.topic_directory.state import (
    FIELDS,
    SPEAKERS,
    USUAL,
    Command,
    Message,
    Node,
    Parameters,
    malformed,
)


@cache
def _made(parameters: Parameters) -> Protocol:
    return Protocol(
        name="topic_directory",
        discipline=Discipline.UNORDERED,
        vocabulary=Vocabulary(roles={ROLE: Node}, member=ROLE, message=Message, command=Command, speakers=SPEAKERS),
        actor=Actor(react=partial(react, parameters=parameters), rule=rule),
        legitimacy=Legitimacy(
            anchor=legitimacy.anchor,
            node_faults=partial(legitimacy.node_faults, expires=parameters.expires),
            message_faults=legitimacy.message_faults,
            share=legitimacy.share,
        ),
        starts=Starts(
            space=partial(space, parameters=parameters), start=start, bound=partial(bound, parameters=parameters)
        ),
        environment=Environment(disturbances=disturbances, quiet=(Stayed,)),
        promises=Promises(premise=partial(legitimacy.premise, most=parameters.topics_of_contact)),
        naming=Naming(malformed=malformed, named=FIELDS.named, renamed=FIELDS.renamed),
        variants=Variants(parameters=Parameters.__struct_fields__, configured=configured),
    )


def configured(values: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters in the header of a trace. Raises ValueError for invalid ones."""
    try:
        return _made(msgspec.convert(values, Parameters))
    except msgspec.ValidationError as error:
        raise ValueError(
            "expires must be null, or a number of periods from 2 on, and topics_of_contact and topics_in_period null, "
            f"or from 1 on: {error}"
        ) from error


PROTOCOL = _made(USUAL)
