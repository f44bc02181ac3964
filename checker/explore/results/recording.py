"""Runs of a protocol as traces: the same acts in unbounded channels, executed one by one."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from gomboc.checker.explore.questions.rounds import acts_of
from gomboc.checker.explore.results.finding import Run
from gomboc.checker.simulate.spec_runner import Player
from gomboc.spec.core.instance import is_idle
from gomboc.spec.core.model import Received, Timeout
from gomboc.spec.core.network import Act, World
from gomboc.spec.core.protocol import Discipline, Protocol, Start


def player_at(protocol: Protocol, world: World, named: Mapping[str, str] = MappingProxyType({})) -> Player:
    """A player that starts in a world. `named` has roles of nodes; the others have that of their state's type."""
    roles = tuple((node, named.get(node) or role_of(protocol, local)) for node, local in world.locals)
    return Player(protocol, Start(roles, world.locals, world.in_flight()), protocol.variants.given)


def role_of(protocol: Protocol, local: Any) -> str:
    """The role of a node with that local state."""
    return next(role for role, kind in protocol.vocabulary.roles.items() if isinstance(local, kind))


def take(player: Player, act: Act) -> None:
    """Take a step. Raises ValueError if it delivers a message that is not in flight."""
    if isinstance(act.input, Received):
        # The sender matters under FIFO only, and only there does an envelope contain it.
        source = "" if act.envelope is None else act.envelope.source
        player.deliver_to(act.node, act.input.message, act.choice.name, source)
    else:
        player.take(act.node, act.input, act.choice.name)


def take_cycle(player: Player, acts: Iterable[Act]) -> None:
    """Take the steps of a cycle, and each timeout that is missing from it at a position where it changes nothing."""
    acts = tuple(acts)
    acting = {act.node for act in acts if isinstance(act.input, Timeout)}
    missing = [node for node in player.awake() if node not in acting]
    for act in acts:
        for node in [node for node in missing if is_idle(player.protocol, node, player.states[node], Timeout())]:
            missing.remove(node)
            player.timeout(node)
        take(player, act)


def take_round(player: Player) -> None:
    """Let every node that is awake time out, and deliver all messages that are then in flight.

    In synchronous rounds all messages are delivered before the first timeout.
    """
    if player.protocol.discipline is Discipline.ROUNDS:
        player.round()
        return
    player.time_out_all()
    player.deliver_all()


def unrolled(run: Run) -> Run:
    """The acts of a run, one by one; only the first state is kept, since it determines all others."""
    parts = [acts_of(action) for action in run.actions]
    back = None if run.back is None else sum(map(len, parts[: run.back]))
    return Run(run.states[:1], tuple(act for acts in parts for act in acts), back)
