"""A row of lamps: each tells the next one its number, which copies it. In the end all show the source's.

This is the specification. From any numbers of the lamps, with any messages in flight, all is right after one round for
each lamp.
"""

from msgspec import Struct
from msgspec.structs import replace

from gomboc.spec import (
    Actor,
    Bag,
    Cited,
    Commanded,
    Discipline,
    Fault,
    Instance,
    Legitimacy,
    OneOf,
    Outcome,
    Protocol,
    Received,
    Record,
    Send,
    Start,
    Starts,
    Timeout,
    Vocabulary,
    pair,
)


class Lamp(Struct, frozen=True):
    number: int
    next: str  # "" for the last one


class Tell(Struct, frozen=True, tag_field="kind", tag="tell"):
    number: int


class Choose(Struct, frozen=True, tag_field="kind", tag="choose"):
    number: int


def react(me, local, taken, choice):
    match taken:
        case Timeout():
            return Outcome(local, (Send(local.next, Tell(local.number)),) if local.next else ())
        case Received(Tell()) if me == "source":
            return Outcome(local)
        case Received(Tell(number)):
            return Outcome(replace(local, number=number))
        case Commanded(Choose(number)) if me == "source":
            return Outcome(replace(local, number=number))
    raise ValueError(f"{me} has no rule for {taken}")


def rule(local, taken):
    about = getattr(taken, "message", getattr(taken, "command", taken))
    return Cited({Timeout: "pass_on", Tell: "copy", Choose: "choose"}[type(about)], "lamps.py")


def row(count):
    names = ("source", *(f"lamp{number}" for number in range(1, count + 1)))
    return tuple(zip(names, (*names[1:], ""), strict=True))


def roles(count):
    return tuple((name, "source" if name == "source" else "lamp") for name, _ in row(count))


def lamps(count, numbers):
    built = [
        Record(lambda number, following=following: Lamp(number, following), (numbers,)) for _, following in row(count)
    ]
    return Record(lambda *states: tuple(zip(dict(row(count)), states, strict=True)), tuple(built))


def channel(count, numbers):
    return pair(lambda to, number: (to, number), OneOf(tuple(dict(row(count)))), Record(Tell, (numbers,)))


def space(size):
    numbers = OneOf((0, 1, 2))
    flying = Bag(channel(size.nodes, numbers), size.messages)
    return pair(lambda *both: Start(roles(size.nodes), *both), lamps(size.nodes, numbers), flying)


def start(count):
    return Start(roles(count), tuple((name, Lamp(0, following)) for name, following in row(count)))


def shows(right, me, local):
    return () if local.number == right else (Fault("shows_the_number", me, right, local.number, "lamps.py"),)


def tells(right, target, message):
    if target == "source" or message.number == right:
        return ()
    return (Fault("tells_the_number", target, right, message.number, "lamps.py"),)


PROTOCOL = Protocol(
    name="lamps",
    discipline=Discipline.UNORDERED,
    vocabulary=Vocabulary(
        roles={"source": Lamp, "lamp": Lamp}, member="lamp", message=Tell, command=Choose, fixed={"source": "source"}
    ),
    actor=Actor(react=react, rule=rule),
    legitimacy=Legitimacy(anchor=lambda states: states["source"].number, node_faults=shows, message_faults=tells),
    starts=Starts(space=space, start=start, bound=lambda count: 2 * count + 2),
)


def model(protocol):
    numbers = OneOf((0, 1))
    states = tuple((name, role, _one(name, numbers)) for name, role in roles(2))
    return Instance(protocol, states, channel(2, numbers), in_flight=2, copies=1, most=None)


def _one(name, numbers):
    following = dict(row(2))[name]
    return Record(lambda number: Lamp(number, following), (numbers,))


MODEL = model(PROTOCOL)
