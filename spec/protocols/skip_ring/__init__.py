"""The supervised skip ring BuildSR, after Feldmann, Kolb, Scheideler and Strothmann."""

import re
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
from gomboc.spec.protocols.skip_ring import agreement, legitimacy
from gomboc.spec.protocols.skip_ring.disturbances import disturbances
from gomboc.spec.protocols.skip_ring.environment import environment, projection
from gomboc.spec.protocols.skip_ring.errata import VARIANTS
from gomboc.spec.protocols.skip_ring.rules import OF_PUBLICATIONS, Rules, rule
from gomboc.spec.protocols.skip_ring.space import bound, space, space_with_publications, start
from gomboc.spec.protocols.skip_ring.state import (
    FIELDS,
    SPEAKERS,
    SUPERVISOR,
    Command,
    Message,
    PublishRequest,
    Subscriber,
    Supervisor,
    without_publications,
)
from gomboc.spec.publishing.publications import Parameters, parameters_of
from gomboc.spec.types.kinds import Suspect, Trust
from gomboc.spec.types.renamed import exchanged


def ring_with(rules: Rules) -> Protocol:
    """The protocol with those rules, without its errata; configurable, unless the rules publish already."""
    ring = Protocol(
        name="skip_ring",
        discipline=Discipline.UNORDERED,
        vocabulary=Vocabulary(
            roles={"supervisor": Supervisor, "subscriber": Subscriber},
            member="subscriber",
            message=Message,
            command=Command,
            speakers=SPEAKERS,
            fixed={SUPERVISOR: "supervisor"},
        ),
        actor=Actor(react=rules.react, rule=rule, choices=rules.choices),
        legitimacy=Legitimacy(
            anchor=legitimacy.anchor,
            node_faults=legitimacy.node_faults,
            message_faults=legitimacy.message_faults,
            anchor_faults=legitimacy.anchor_faults,
            share=legitimacy.share,
            defined="Definition 1",
        ),
        starts=Starts(space=space, start=start, bound=bound),
        environment=Environment(
            offers=environment,
            disturbances=disturbances,
            asleep=legitimacy.asleep,
            quiet_if_idle=(Suspect, Trust),
            without_effect=(*OF_PUBLICATIONS, PublishRequest),
        ),
        promises=Promises(projection=projection),
        naming=Naming(
            malformed=without_publications, named=FIELDS.named, renamed=FIELDS.renamed, misnamed=legitimacy.misnamed
        ),
        variants=Variants(
            parameters=(*Parameters.__struct_fields__, "supervisor"),
            configured=partial(_configured, rules),
            publishing={"key_bits": 32},
        ),
    )
    return ring if rules.parameters is None else _publishing(ring, rules, rules.parameters)


def _publishing(ring: Protocol, rules: Rules, parameters: Parameters) -> Protocol:
    """The ring with publications: legitimate only if its members agree on them."""
    return ring.changed(
        choices=rules.choices_with_publications,
        malformed=partial(FIELDS.malformed, parameters),
        share=agreement.share,
        anchor=agreement.anchor,
        anchor_faults=agreement.anchor_faults,
        node_faults=partial(agreement.node_faults, parameters=parameters),
        message_faults=partial(agreement.message_faults, parameters=parameters),
        space=partial(space_with_publications, parameters=parameters),
        disturbances=partial(disturbances, parameters=parameters),
        without_effect=(),
    )


def with_errata(rules: Rules) -> Protocol:
    """The protocol with those rules, and its errata: each with a printed rule instead of ours."""
    variants = {name: ring_with(replace(rules, **overrides)) for name, overrides in VARIANTS.items()}
    return ring_with(rules).changed(errata=read_errata(__name__, variants))


def _configured(rules: Rules, header: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters in the header of a trace. Raises ValueError if they are invalid."""
    called = header.get("supervisor", SUPERVISOR)
    if not isinstance(called, str) or NAME.fullmatch(called) is None:
        raise ValueError(f"the supervisor is called {called!r}, which is no name of a node.")
    limits = {name: value for name, value in header.items() if name != "supervisor"}
    ring = _made(replace(rules, parameters=parameters_of(limits) if limits else rules.parameters))
    return ring if called == SUPERVISOR else exchanged(ring, SUPERVISOR, called)


@cache
def _made(rules: Rules) -> Protocol:
    return with_errata(rules) if replace(rules, parameters=None) == Rules() else ring_with(rules)


NAME = re.compile(r"[0-9A-Za-z_.:-]{1,64}")

PROTOCOL = _made(Rules())
