"""The hosts of a node: the one that publishes, and those of the layers below it."""

from collections.abc import Sequence

from msgspec.structs import replace

from gomboc.impl.api.layers.everywhere import Everywhere
from gomboc.impl.api.layers.multiplexer import Multiplexer
from gomboc.impl.api.layers.routed import RoutedLayers
from gomboc.impl.api.lower_layers import LowerLayers
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.core.errors import UsageError
from gomboc.impl.runtime.compression import Compressed
from gomboc.impl.runtime.configuration import HostConfig, NodeContext
from gomboc.impl.runtime.host import Host

Below = LowerLayers | RoutedLayers | Everywhere

NEEDS_NO_CONTACT = "This overlay has well-known nodes, so a node needs no other contact: give it none."


def hosts(
    name: str, overlay: Overlay, conduct: HostConfig, around: NodeContext, contact: str | Sequence[str] | None
) -> tuple[Host | Everywhere, Below | None]:
    """The host that publishes, and the layers below it; `UsageError` for a contact where nodes need none."""
    if overlay.port.spreading is not None:
        everywhere = Everywhere(name, overlay, overlay.port.spreading, conduct, around, _contacts(name, contact))
        return everywhere, everywhere
    if overlay.beneath is None:
        if contact is not None:
            raise UsageError(NEEDS_NO_CONTACT)
        return Host(name, conduct, overlay.implementation, overlay.agreement, around), None
    shared = Multiplexer(Compressed(around.transport, overlay.beneath.common))
    upper = replace(around, transport=shared.line(overlay.agreement))
    host = Host(name, conduct, overlay.implementation, overlay.agreement, upper)
    contacts = _contacts(name, contact)
    if overlay.beneath.directory is not None:
        return host, LowerLayers(host, overlay.beneath, around, shared, contacts)
    return host, RoutedLayers(host, overlay.port, overlay.beneath, around, shared, contacts)


def _contacts(name: str, contact: str | Sequence[str] | None) -> tuple[str, ...]:
    """The contacts of the node with this name, each once."""
    if contact is None or isinstance(contact, str):
        return () if contact is None else (contact,)
    return tuple(candidate for candidate in dict.fromkeys(contact) if candidate != name)
