"""The supervised skip ring BuildSR, after Feldmann, Kolb, Scheideler and Strothmann."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.protocol import Discipline, Protocol
from gomboc.spec.protocols.skip_ring import agreement, legitimacy
from gomboc.spec.protocols.skip_ring.disturbances import disturbances
from gomboc.spec.protocols.skip_ring.environment import environment, projection
from gomboc.spec.protocols.skip_ring.errata import ERRATA
from gomboc.spec.protocols.skip_ring.rules import OF_PUBLICATIONS, Rules, rule
from gomboc.spec.protocols.skip_ring.space import bound, space, space_with_publications, start
from gomboc.spec.protocols.skip_ring.state import (
    FIELDS,
    SUPERVISOR,
    Command,
    Message,
    PublishRequest,
    Subscriber,
    Supervisor,
    without_publications,
)
from gomboc.spec.publishing.publications import Parameters, parameters_of


def ring_with(rules: Rules) -> Protocol:
    """The protocol with those rules, without its errata; configurable, unless the rules publish already."""
    ring = Protocol(
        name="skip_ring",
        discipline=Discipline.UNORDERED,
        roles={"supervisor": Supervisor, "subscriber": Subscriber},
        member="subscriber",
        fixed={SUPERVISOR: "supervisor"},
        message=Message,
        command=Command,
        react=rules.react,
        choices=rules.choices,
        rule=rule,
        malformed=without_publications,
        asleep=legitimacy.asleep,
        share=legitimacy.share,
        misnamed=legitimacy.misnamed,
        named=FIELDS.named,
        renamed=FIELDS.renamed,
        projection=projection,
        environment=environment,
        anchor=legitimacy.anchor,
        anchor_faults=legitimacy.anchor_faults,
        node_faults=legitimacy.node_faults,
        message_faults=legitimacy.message_faults,
        space=space,
        start=start,
        bound=bound,
        parameters=Parameters.__struct_fields__,
        configured=partial(_configured, rules),
        publishing={"key_bits": 32},
        defined="Definition 1",
        disturbances=disturbances,
        without_effect=(*OF_PUBLICATIONS, PublishRequest),
    )
    return ring if rules.parameters is None else _publishing(ring, rules, rules.parameters)


def _publishing(ring: Protocol, rules: Rules, parameters: Parameters) -> Protocol:
    """The ring with publications: legitimate only if its members agree on them."""
    return replace(
        ring,
        choices=rules.choices_with_neighbour,
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
    printed = tuple(erratum.of(ring_with(replace(rules, **erratum.overrides))) for erratum in ERRATA)
    return replace(ring_with(rules), errata=printed)


def _configured(rules: Rules, header: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters in the header of a trace. Raises ValueError if they are invalid."""
    return _made(replace(rules, parameters=parameters_of(header)))


@cache
def _made(rules: Rules) -> Protocol:
    return with_errata(rules) if replace(rules, parameters=None) == Rules() else ring_with(rules)


PROTOCOL = _made(Rules())
