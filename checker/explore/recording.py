"""Runs of a protocol as traces: the same acts in unbounded channels, played one by one."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from gomboc.checker.player import Player
from gomboc.spec.instance import is_idle
from gomboc.spec.model import Received, Timeout
from gomboc.spec.network import Act, World
from gomboc.spec.protocol import Discipline, Protocol, Start


def player_at(protocol: Protocol, world: World, named: Mapping[str, str] = MappingProxyType({})) -> Player:
    """A player that begins there. `named` has the roles of nodes; those left out are what the types of states say."""
    roles = tuple((node, named.get(node) or role_of(protocol, local)) for node, local in world.locals)
    return Player(protocol, Start(roles, world.locals, world.in_flight()), protocol.given)


def role_of(protocol: Protocol, local: Any) -> str:
    """The role of a node with that local state."""
    return next(role for role, kind in protocol.roles.items() if isinstance(local, kind))


def take(player: Player, act: Act) -> None:
    """Take a step. Raises ValueError if it delivers what is not in flight."""
    if isinstance(act.input, Received):
        # Only under FIFO does it matter who has sent it, and only there does an envelope say so.
        source = "" if act.envelope is None else act.envelope.source
        player.deliver_to(act.node, act.input.message, act.choice.name, source)
    else:
        player.take(act.node, act.input, act.choice.name)


def take_cycle(player: Player, acts: Iterable[Act]) -> None:
    """Take the steps of a cycle, and each timeout that is missing in it at a place where it changes nothing."""
    acts = tuple(acts)
    acting = {act.node for act in acts if isinstance(act.input, Timeout)}
    missing = [node for node in player.awake() if node not in acting]
    for act in acts:
        for node in [node for node in missing if is_idle(player.protocol, node, player.states[node], Timeout())]:
            missing.remove(node)
            player.timeout(node)
        take(player, act)


def take_round(player: Player) -> None:
    """Let every node that is awake time out, and deliver everything that is in flight then.

    In synchronous rounds everything arrives before anybody times out.
    """
    if player.protocol.discipline is Discipline.ROUNDS:
        player.round()
        return
    player.time_out_all()
    player.deliver_all()
