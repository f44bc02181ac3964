"""Right graphs and rounds of Skip+, for tests: whole rounds on plain dictionaries, without any network."""

from collections.abc import Mapping
from itertools import product

from gomboc.spec.core.model import CERTAIN, Received, Timeout
from gomboc.spec.protocols.skip_plus.legitimacy import anchor, message_faults, node_faults, right_state, share
from gomboc.spec.protocols.skip_plus.rules import Rules
from gomboc.spec.protocols.skip_plus.state import ABSENT, Node

RULES = Rules()


def named(*strings):
    """Names with those strings, in the order of their ids."""
    return tuple(f"{index:02d}:{string}" for index, string in enumerate(strings))


def every_naming(nodes, bits):
    """Every way to give that many nodes strings of that many bits."""
    strings = ["".join(bits_of_one) for bits_of_one in product("01", repeat=bits)]
    return [named(*chosen) for chosen in product(strings, repeat=nodes)]


def right(names, absent=()):
    """The right states of the nodes that take part, and those that do not."""
    live = tuple(name for name in names if name not in absent)
    return {name: right_state(live, name) if name in live else ABSENT for name in names}


def knowing(known: Mapping[str, tuple[str, ...]]):
    """Nodes that know those, and remember nothing."""
    return {name: Node(True, tuple(sorted(others))) for name, others in known.items()}


def a_round(states, inbox, rules=RULES):
    """The states and inboxes after each node has received all messages, and had a timeout."""
    after, sent = {}, {name: [] for name in states}
    for name, local in states.items():
        for taken in (*map(Received, inbox.get(name, ())), Timeout()):
            outcome = rules.react(name, local, taken, CERTAIN[0])
            local = outcome.local
            for send in outcome.sends:
                sent[send.target].append(send.message)
        after[name] = local
    return after, sent


def faults(states, inbox):
    """Everything that is wrong."""
    live = anchor({name: share(local) for name, local in states.items()})
    faults_found = [fault for name, local in states.items() for fault in node_faults(live, name, local)]
    return faults_found + [
        fault for name, sent in inbox.items() for message in sent for fault in message_faults(live, name, message)
    ]


def rounds_until_right(states, inbox=None, most=100, rules=RULES):
    """After how many rounds nothing is wrong; None if that takes more than `most`."""
    inbox = inbox or {}
    for number in range(most + 1):
        if not faults(states, inbox):
            return number
        states, inbox = a_round(states, inbox, rules)
    return None
