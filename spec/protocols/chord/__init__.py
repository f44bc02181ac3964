"""Chord, after a report on it and Stoica et al. 2003, made correct after Zave 2017."""

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
    no_faults,
    nothing_lacks,
)
from gomboc.spec.protocols.chord import legitimacy
from gomboc.spec.protocols.chord.cited import fired, rule
from gomboc.spec.protocols.chord.disturbances import disturbances
from gomboc.spec.protocols.chord.environment import environment
from gomboc.spec.protocols.chord.errata import VARIANTS, Variant
from gomboc.spec.protocols.chord.parameters import Parameters, parameters_of
from gomboc.spec.protocols.chord.premise import premise, projection
from gomboc.spec.protocols.chord.promises import always, assumption, commands_assumption
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.space import ROLE, bound, space, start
from gomboc.spec.protocols.chord.state import (
    FIELDS,
    SPEAKERS,
    Command,
    Lookup,
    Message,
    Node,
    Outside,
    Peers,
    Unwatch,
    Watch,
    asleep,
)
from gomboc.spec.types.kinds import Suspect
from gomboc.spec.types.parameters import told


def chord_with(rules: Rules) -> Protocol:
    """The protocol with those rules and their parameters, without its errata."""
    parameters = rules.parameters
    return Protocol(
        name="chord",
        discipline=Discipline.UNORDERED,
        vocabulary=Vocabulary(roles={ROLE: Node}, member=ROLE, message=Message, command=Command, speakers=SPEAKERS),
        actor=Actor(react=rules.react, rule=rule, choices=rules.choices, fired=partial(fired, parameters)),
        legitimacy=Legitimacy(
            anchor=partial(legitimacy.anchor, parameters),
            node_faults=partial(legitimacy.node_faults, parameters),
            message_faults=partial(legitimacy.message_faults, parameters),
            share=legitimacy.share,
            defined="Zave 2017, ideal state",
        ),
        starts=Starts(
            space=partial(space, parameters), start=partial(start, parameters), bound=partial(bound, parameters)
        ),
        environment=Environment(
            offers=partial(environment, rules.asks),
            disturbances=partial(disturbances, parameters),
            asleep=asleep,
            quiet=(Peers, Lookup, Watch, Unwatch),
            quiet_if_idle=(Suspect,),
            without_effect=(Outside,),
        ),
        promises=Promises(
            premise=partial(premise, parameters),
            assumption=partial(assumption, parameters),
            commands_assumption=partial(commands_assumption, parameters),
            projection=partial(projection, parameters),
            always=always(parameters),
        ),
        naming=Naming(
            malformed=partial(FIELDS.malformed, parameters),
            named=FIELDS.named,
            renamed=FIELDS.renamed,
            misnamed=parameters.circle.misnamed,
        ),
        variants=Variants(parameters=Parameters.__struct_fields__, configured=configured, given=told(parameters)),
    )


def configured(parameters: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters in the header of a trace. Raises ValueError if they are invalid."""
    return _made(parameters_of(parameters))


def variant(printed: Variant, parameters: Parameters) -> Protocol:
    """The protocol with that rule, or that assumption, instead of ours."""
    protocol = chord_with(printed.rules(parameters))
    if printed.assumption:
        assumption = partial(printed.assumption, parameters)
        protocol = protocol.changed(assumption=assumption, commands_assumption=nothing_lacks)
    return protocol.changed(malformed=no_faults) if printed.free else protocol


@cache
def _made(parameters: Parameters) -> Protocol:
    """The protocol with those parameters, and its errata: each with a printed rule instead of ours."""
    variants = {name: variant(printed, parameters) for name, printed in VARIANTS.items()}
    return chord_with(Rules(parameters)).changed(errata=read_errata(__name__, variants))


PROTOCOL = _made(Parameters())
