"""A well-known node: it makes an instance of a topic on request, and receives reports of failures."""

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace

from gomboc.impl.api.overlays import Overlay
from gomboc.impl.core.errors import needed
from gomboc.impl.core.failed import Failures
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.refusals import Refusal, Refusals
from gomboc.impl.runtime.configuration import HostConfig, NodeContext
from gomboc.impl.runtime.detection.detector import Timing
from gomboc.impl.runtime.detection.heartbeats import detecting
from gomboc.impl.runtime.failures import failing_of
from gomboc.impl.runtime.host import Host
from gomboc.impl.runtime.transport import Gate


class Contact:
    """The contact of this name, with at most `most_topics` topics, of which messages of one peer begin `most_by_peer`.

    Requests for further ones are refused and counted. A topic that has neither members nor suspects is dropped. Raises
    `UsageError` for a name that no contact of the overlay has.
    """

    def __init__(
        self,
        name: str,
        overlay: Overlay,
        around: NodeContext,
        *,
        most_topics: int = 65_536,
        most_by_peer: int = 1_024,
        detector: Timing | None = None,
    ) -> None:
        overlay = overlay.of_contact(name)
        role = overlay.port.contacts[name]
        self._implementation = overlay.implementation
        self._has_none = f"{overlay.implementation.name} does not say how it hears of suspects."
        self._most_topics, self._most_by_peer = most_topics, most_by_peer
        conduct = HostConfig(
            role=role,
            make=partial(overlay.blank, role, name, around.random),
            hand_over=_nothing_is_delivered,
            refusals=Refusals(Reason),
            failures=Failures(is_starting=True),
            remembers=False,
            refuses=self._refuses,
            contacts=overlay.port.contacts,
        )
        gate = Gate(around.transport)
        line = detecting(gate, name, around.clock, detector, self.suspect, self.trust)
        closed = replace(around, transport=line)
        self._host = Host(name, conduct, overlay.implementation, overlay.agreement, closed)
        conduct.failures.is_starting = False
        gate.open()

    @property
    def name(self) -> str:
        """The contact's name."""
        return self._host.name

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that have an instance, in the order of their names."""
        return tuple(sorted(self._host.instances))

    @property
    def refused(self) -> Mapping[str, int]:
        """The number of refusals, by reason."""
        return self._host.refusals.of_all()

    def refused_peers(self) -> Mapping[Refusal, int]:
        """The number of refused messages by peer, topic and reason; of at most 1,024 of these, the rest by reason."""
        return self._host.refusals.of_peers()

    @property
    def failed(self) -> int:
        """The number of outputs that transport or observers have not taken without an exception."""
        return self._host.failed

    def suspect(self, node: str) -> None:
        """Report a suspected crash to every topic, and to those that begin later.

        Raises `UsageError` if the protocol has no suspects.
        """
        needed(failing_of(self._implementation).suspect, self._has_none)
        self._host.suspect(node)

    def trust(self, node: str) -> None:
        """Withdraw a suspicion: the failure detector has seen the node again. The node rejoins by itself.

        Raises `UsageError` if the protocol has no suspects.
        """
        needed(failing_of(self._implementation).trust, self._has_none)
        self._host.trust(node)

    def _refuses(self, _topic: str, sender: str) -> Reason | None:
        """The reason to refuse another topic: a message of a stranger costs the same however many there are."""
        instances = self._host.instances
        full = len(instances) >= self._most_topics or instances.opened_by(sender) >= self._most_by_peer
        return Reason.TOO_MANY_TOPICS if full else None


def _nothing_is_delivered(topic: str, content: object) -> None:
    raise AssertionError(f"A contact has no application, and topic {topic} hands it {content!r}.")
