"""Changes of the rules of Chord, of its circle, its invariant, its legitimacy and premise, and of its cores."""

from tests.mutants.change import Change

RULES, LISTS, NAMES, LEGITIMACY, INVARIANT, PREMISE, ROUTING, ENVIRONMENT = (
    f"spec/protocols/chord/{name}.py"
    for name in ("rules", "lists", "names", "legitimacy", "invariant", "premise", "routing", "environment")
)
SPECIFIED = tuple(
    f"tests/spec/protocols/chord/test_{name}.py"
    for name in ("rules", "invariant", "legitimacy", "names", "space", "convergence")
)
IMPLEMENTED = tuple(
    f"tests/impl/protocols/chord/test_{name}.py"
    for name in ("core", "stabilising", "seeking", "circle", "states", "port", "judged", "convergence")
)


def _change(name, path, before, after, breaks):
    return Change(f"chord_{name}", path, before, after, breaks, IMPLEMENTED if path.startswith("impl") else SPECIFIED)


OF_CHORD = (
    _change(
        "routes_are_not_told",
        RULES,
        "if hop != route(circle, me, before, position):",
        "if False:",
        "the layer above hears of no next hop",
    ),
    _change(
        "neighbours_of_successors_only",
        RULES,
        "if before.predecessor != after.predecessor or before.successors != after.successors:",
        "if before.successors != after.successors:",
        "the layer above does not hear of a new predecessor",
    ),
    _change(
        "peers_behind_the_head_are_asked",
        RULES,
        "return tuple(peer for peer in local.peers if between(me, peer, first))",
        "return local.peers",
        "a timeout may ask a peer that would be no nearer head",
    ),
    _change(
        "refresh_stays_at_one_finger",
        RULES,
        "local = replace(local, next=(finger + 1) % bits)",
        "local = replace(local, next=finger)",
        "the same finger is looked up for ever",
    ),
    _change(
        "needless_fingers_stay",
        RULES,
        "if local.fingers and local.fingers[0][0] < first:",
        "if False:",
        "fingers that need none are kept",
    ),
    _change(
        "answers_of_all_are_used",
        RULES,
        "if sender == me or not (sender == first or between(me, sender, first)):",
        "if sender == me:",
        "any node that answers becomes the head",
    ),
    _change(
        "answers_of_the_head_only",
        RULES,
        "if sender == me or not (sender == first or between(me, sender, first)):",
        "if sender == me or sender != first:",
        "an answer of a nearer node is not used",
    ),
    _change(
        "the_sender_is_left_out",
        RULES,
        "local = replace(local, successors=self.shortened(me, (sender, *answer.successors)))",
        "local = replace(local, successors=self.shortened(me, answer.successors))",
        "the answering node is not in the list that it gives",
    ),
    _change(
        "lists_go_past_oneself",
        RULES,
        "return nodes[: min(end, self.parameters.r)]",
        "return nodes[: self.parameters.r]",
        "a list may name its own node",
    ),
    _change(
        "the_first_predecessor_stays",
        RULES,
        "nearer = local.predecessor is None or self.parameters.circle.between(local.predecessor, sender, me)",
        "nearer = local.predecessor is None",
        "no nearer node becomes predecessor",
    ),
    _change(
        "the_last_notifier_is_adopted",
        RULES,
        "return replace(local, predecessor=sender) if sender != me and nearer else local",
        "return replace(local, predecessor=sender) if sender != me else local",
        "any node that notifies becomes predecessor",
    ),
    _change(
        "the_dead_stay_fingers",
        RULES,
        "fingers=tuple(finger for finger in local.fingers if finger[1] != node),",
        "fingers=local.fingers,",
        "a crashed node stays a finger",
    ),
    _change(
        "dead_predecessor_stays",
        RULES,
        "predecessor=None if local.predecessor == node else local.predecessor,",
        "predecessor=local.predecessor,",
        "a crashed node stays predecessor",
    ),
    _change(
        "dead_contact_stays",
        RULES,
        "contact=None if local.contact == node else local.contact,",
        "contact=local.contact,",
        "a joiner asks a dead node for ever",
    ),
    _change(
        "lone_members_give_nothing",
        RULES,
        "return JoinReply(me, local.successors or (me,))",
        "return JoinReply(me, local.successors)",
        "a lone member gives an empty list",
    ),
    _change(
        "places_without_a_predecessor",
        RULES,
        'inside = Node("inside", sender, listed, peers=local.peers)',
        'inside = Node("inside", None, listed, peers=local.peers)',
        "a joiner that is given a place does not know its predecessor",
    ),
    _change(
        "found_by_its_asker_twice",
        RULES,
        "return Outcome(local, () if mine else (Send(seek.asker, reply),), (reply,) if mine else ())",
        "return Outcome(local, (Send(seek.asker, reply),), (reply,) if mine else ())",
        "a node that owns the key it looks up tells itself, too",
    ),
    _change(
        "needless_answers_are_fingers",
        RULES,
        "if not self.parameters.fingers or finger < self.parameters.circle.first_finger(me, head(me, local)):",
        "if not self.parameters.fingers:",
        "a finger is kept that needs none",
    ),
    _change(
        "members_may_want_in",
        RULES,
        'if local.status != "outside":',
        'if local.status == "crashed":',
        "a member that joins forgets its ring",
    ),
    _change(
        "leavers_tell_one",
        RULES,
        "notified = dict.fromkeys(name for name in (local.predecessor, *local.successors[:1]) if name is not None)",
        "notified = dict.fromkeys(local.successors[:1])",
        "a leaver does not tell its predecessor",
    ),
    _change(
        "mailboxes_of_the_dead_ignore_lookups",
        RULES,
        "case JoinRequest(_, sender) | RouteRequest(_, _, sender) | FixFingerRequest(_, _, sender):",
        "case JoinRequest(_, sender):",
        "a lookup that comes to the dead is lost without a word",
    ),
    _change(
        "a_node_that_has_a_predecessor_owns_all",
        ROUTING,
        "return not local.successors",
        "return True",
        "without a predecessor a node owns everything",
    ),
    _change(
        "fingers_are_not_used",
        ROUTING,
        "for name in dict.fromkeys((*local.successors, *(name for _, name in local.fingers))):",
        "for name in local.successors:",
        "lookups go along the ring",
    ),
    _change(
        "lookups_need_a_successor",
        ROUTING,
        "return local.successors[0] if local.successors else local.predecessor",
        "return local.successors[0] if local.successors else None",
        "a node that knows its predecessor only asks no node",
    ),
    _change(
        "once_around_is_nothing",
        NAMES,
        "return (self.id_of(high) - self.id_of(low) - 1) % self.size() + 1",
        "return (self.id_of(high) - self.id_of(low)) % self.size()",
        "from a node to itself it is no way",
    ),
    _change(
        "first_finger_is_the_heads",
        NAMES,
        "return self.distance(name, head).bit_length()",
        "return (self.distance(name, head) - 1).bit_length()",
        "a finger at the place of the head is needed",
    ),
    _change(
        "one_id_for_two",
        NAMES,
        "if number in taken:",
        "if False:",
        "two nodes may have one id",
    ),
    _change(
        "growing_rings_never_end",
        INVARIANT,
        "return not crashed and "
        "(len(ring.principals) <= parameters.r or any(not listed for _, listed in ring.without))",
        "return not crashed",
        "a ring without a crash needs one principal only",
    ),
    _change(
        "r_principals_are_enough",
        INVARIANT,
        "least = 1 if growing else parameters.r + 1",
        "least = 1 if growing else parameters.r",
        "one principal less is enough",
    ),
    _change(
        "second_rings_may_begin",
        INVARIANT,
        "if len(members) > 1 and not knows and name not in listed:",
        "if False:",
        "a second member may begin a ring",
    ),
    _change(
        "late_lists_may_be_dead",
        LISTS,
        "brought = (*lists.coming, *lists.late)",
        "brought = lists.coming",
        "a late answer may name the dead only",
    ),
    _change(
        "late_lists_skip_no_node",
        LISTS,
        "principals = unskipped(circle, ring.firm, (*lists.coming, *lists.named))",
        "principals = unskipped(circle, ring.firm, lists.coming)",
        "a node that joined behind the sender of a late answer is a principal",
    ),
    _change(
        "answers_from_before_the_head_are_late",
        LISTS,
        "soon = sender == first or parameters.circle.between(target, sender, first)",
        "soon = sender == first",
        "an answer of a nearer node counts as late",
    ),
    _change(
        "lone_members_are_no_ring",
        LISTS,
        "return next((entry for entry in listed if entry in live), None) if listed else name",
        "return next((entry for entry in listed if entry in live), None)",
        "a node without a successor is no ring of its own",
    ),
    _change(
        "fingers_to_oneself_are_right",
        LEGITIMACY,
        "{finger: name for finger, name in fingers.items() if name != me},",
        "fingers,",
        "the ideal ring has fingers to oneself",
    ),
    _change(
        "lone_cores_give_nothing",
        "impl/protocols/chord/core.py",
        "return [Send(joiner, JoinReply(me.name, state.successors or (me.name,)))]",
        "return [Send(joiner, JoinReply(me.name, state.successors))]",
        "a lone member gives an empty list",
    ),
    _change(
        "joiners_keep_their_contact",
        "impl/protocols/chord/core.py",
        "self._enter(*self.placed(message))",
        "self._become(replace(self.state, contact=None))",
        "a joiner that is given a place stays outside",
    ),
    _change(
        "outsiders_say_that_they_are_dead",
        "impl/protocols/chord/core.py",
        'word = Dead if self.state.status == "crashed" else Outside',
        "word = Dead",
        "a node outside answers that it has crashed",
    ),
    _change(
        "lookups_of_outsiders",
        "impl/protocols/chord/core.py",
        'case Lookup(key) if self.state.status == "inside":',
        "case Lookup(key):",
        "a node outside looks up keys",
    ),
    _change(
        "lookups_are_not_quiet",
        "spec/protocols/chord/__init__.py",
        "quiet=(Peers, Lookup),",
        "quiet=(Peers,),",
        "rounds are counted anew after a lookup",
    ),
    _change(
        "peers_are_not_quiet",
        "spec/protocols/chord/__init__.py",
        "quiet=(Peers, Lookup),",
        "quiet=(Lookup,),",
        "rounds are counted anew after peers are told",
    ),
    _change(
        "false_suspicions_of_outsiders",
        ENVIRONMENT,
        'elif states[asked].status == "inside" and local.status == "inside":',
        'elif states[asked].status == "inside":',
        "a false suspicion is offered to a node outside",
    ),
)
