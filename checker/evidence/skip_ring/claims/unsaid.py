"""Questions that Algorithms 1 to 3 and Section 3.3 leave open: flags, empty slots, and crash detection."""

from itertools import product

from gomboc.checker.errata.claim import Claim as Said
from gomboc.checker.errata.claim import Evidence, Result, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.skip_ring.experiments.ring import members, sent_in_round
from gomboc.spec.model import Outcome
from gomboc.spec.skip_ring import PROTOCOL, printed
from gomboc.spec.skip_ring.labels import label_of
from gomboc.spec.skip_ring.state import CYCLE, LIST, SUPERVISOR, Claim, Flag, Introduce, Subscriber

LABELS = tuple(label_of(index) for index in range(4))
SIZES = (1, 2, 3, 4, 8, 16)
OTHERS = (None, *(Claim(label, "w") for label in LABELS))


def relabelled() -> list[tuple[Subscriber, Claim]]:
    """Nodes of SR(4) with a closing edge to v and any other neighbours, and claims by which line 22 is reached."""
    slots = ((label, left, right) for label, left, right in product(LABELS, OTHERS, OTHERS))
    return [
        (Subscriber(label, left, right, Claim(held, "v")), Claim(said, "v"))
        for label, left, right in slots
        for held, said in product(LABELS, LABELS)
        if held != said and label not in (held, said) and (held < label) != (said < label)
    ]


def after_line_22(u: Subscriber, claim: Claim, flag: Flag) -> Outcome:
    """Outcome of line 22's message to the node itself with that flag; v's own message had the flag LIN."""
    first = printed.introduce(u, "u", claim, LIST, True, _nothing)
    assert any(send.message == Introduce(claim, LIST) and send.target == "u" for send in first.sends), "line 22 it was"
    return printed.introduce(first.local, "u", claim, flag, False, printed.linearize)


def _nothing(u: Subscriber, me: str, claim: Claim, first_hand: bool = False) -> Outcome:
    """Instead of Linearize: nothing, so that line 22 is seen by itself."""
    del me, claim, first_hand
    return Outcome(u)


def flags_do_not_matter() -> Evidence:
    """Whether the claim that line 22 passes on ends in another state with another flag."""
    cases = relabelled()
    other = [case for case in cases if after_line_22(*case, CYCLE).local != after_line_22(*case, LIST).local]
    u, claim = other[0]
    return Evidence(
        settled(not other),
        {
            "cases": len(cases),
            "other": len(other),
            "label": f"{u.label}",
            "held": f"{u.ring.label if u.ring else None}",
            "said": claim.label,
        },
    )


def no_slot_is_empty() -> Evidence:
    """The empty slots of right rings, which line 3 checks; and line 27's delegations at a node without neighbours."""
    empty = {nodes: sum((u.left, u.right).count(None) for u in members(nodes).values()) for nodes in SIZES}
    first = printed.linearize(Subscriber("0"), "u", Claim("1", "v"))
    return Evidence(
        settled(not any(empty.values())),
        {"empty": [f"{count} for n = {nodes}" for nodes, count in empty.items()]},
        {
            "as we read it, a node without neighbours takes the first one and sends nothing": first
            == Outcome(Subscriber("0", right=Claim("1", "v")))
        },
    )


def messages_show_live_nodes() -> Evidence:
    """Messages from subscribers to the supervisor in a round of a right ring in which every coin is silent."""
    received = {nodes: sum(target == SUPERVISOR for target, _ in sent_in_round(PROTOCOL, nodes)) for nodes in SIZES}
    return Evidence(
        settled(all(count >= nodes for nodes, count in received.items())),
        {"told": [f"{count} for n = {nodes}" for nodes, count in received.items()]},
    )


CLAIMS = (
    Said(
        name="line_22_names_no_flag",
        title="the flag with which a node introduces a claim to itself",
        source="Algorithm 2, line 22",
        says="Introduce takes a claim and a flag (line 16); line 22 names the claim alone.",
        ran="Algorithm 2, lines 16 to 42, and Linearize, as printed (variant printed_build_ring).",
        result=Result.SILENT,
        examined=Result.REFUTED,
        why="That either flag does is not so: in {other} of {cases} cases the node ends in another state.",
        domain="A node with one of the labels of SR(4), any neighbours with such labels or none, a closing edge to v "
        "on one side, and v's claim to have a label on the other side, sent with the flag LIN.",
        counterexample="u has the label {label} and u.ring = ({held}, v), and hears that v has the label {said}.",
        evidence=flags_do_not_matter,
        instead="The flag that came with the claim.",
        quotes=(
            Quotation("Algorithm 2, line 16", "procedure INTRODUCE(c = (label_v, v), flag in {CYC, LIN})"),
            Quotation("Algorithm 2, line 22", "u <- INTRODUCE((label_v, v))"),
        ),
    ),
    Said(
        name="empty_slots",
        title="the treatment of an empty slot",
        source="Algorithm 1, lines 3 and 27",
        says="Line 3 sends Check to u.left, and line 27 linearises u.left; that u.left may be bottom is not said "
        "there, while Algorithm 4, line 26, asks for it.",
        ran="Linearize as printed (variant printed_build_ring); the right ring otherwise.",
        result=Result.SILENT,
        examined=Result.REFUTED,
        why="That these slots are never empty is not so: in a right ring the node with the least label has no left "
        "neighbour, and that with the greatest no right one ({empty} slots). A node without neighbours gets to line 27 "
        "with its first claim.",
        counterexample="n = 2: v1 (label 0) times out, and u.left is bottom.",
        evidence=no_slot_is_empty,
        instead="Nothing is sent to bottom, and bottom is not linearised; it counts as farther than any label.",
        quotes=(
            Quotation("Algorithm 1, line 27", "v <- LINEARIZE(u.left)"),
            Quotation("Algorithm 1, line 3", "u.left <- CHECK(u, u.left, LIN)"),
        ),
        prose=(Quotation("Algorithm 4, line 26", "if v' != bottom then"),),
    ),
    Said(
        name="which_node_watches_for_crashes",
        title="the cost of the failure detector at the supervisor",
        source="Section 3.3",
        says="There is one failure detector, at the supervisor; how it notices that a subscriber has crashed, and with "
        "how many messages, is not said.",
        ran="Ours; the messages to the supervisor are as printed.",
        result=Result.SILENT,
        examined=Result.REFUTED,
        why="That the protocol's own messages tell the supervisor which nodes are alive is not so: in a round of a "
        "right ring in which no coin says ask, it hears {told}. A detector that is to notice any crash needs messages "
        "of its own from each of n subscribers, so that one detector has n to watch, where neighbours would share "
        "them.",
        counterexample="n = 1: nothing is sent to the supervisor.",
        evidence=messages_show_live_nodes,
        instead="The detector is assumed: its suspicion is a command to the supervisor, and its messages are not "
        "counted.",
        quotes=(
            Quotation(
                "Section 3.3",
                "However, in our setting it suffices to establish only one single failure detector at the supervisor",
            ),
        ),
    ),
)
