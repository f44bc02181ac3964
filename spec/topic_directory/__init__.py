"""The directory of topics: of all nodes of a sorted overlay, one is responsible for each topic, and knows a contact."""

from gomboc.spec.neighbourhood import Stayed
from gomboc.spec.protocol import Discipline, Protocol
from gomboc.spec.topic_directory import legitimacy
from gomboc.spec.topic_directory.disturbances import disturbances
from gomboc.spec.topic_directory.rules import choices, react, rule
from gomboc.spec.topic_directory.space import ROLE, bound, space, start
from gomboc.spec.topic_directory.state import Command, Message, Node, named

PROTOCOL = Protocol(
    name="topic_directory",
    discipline=Discipline.UNORDERED,
    roles={ROLE: Node},
    member=ROLE,
    fixed={},
    message=Message,
    command=Command,
    react=react,
    choices=choices,
    rule=rule,
    malformed=legitimacy.malformed,
    anchor=legitimacy.anchor,
    anchor_faults=legitimacy.anchor_faults,
    node_faults=legitimacy.node_faults,
    message_faults=legitimacy.message_faults,
    space=space,
    start=start,
    bound=bound,
    disturbances=disturbances,
    premise=legitimacy.premise,
    share=legitimacy.share,
    named=named,
    quiet=(Stayed,),
)
