"""Changes of the specification, or of the judge, that the tie of a lemma's encoding must notice, lemma by lemma."""

from tests.mutants.change import Change

LABELS, SUBSCRIBER, SUPERVISOR = (
    f"spec/protocols/skip_ring/{name}.py" for name in ("labels", "subscriber", "supervisor")
)
LIST, RING, PUBLISH = (f"spec/protocols/skip_ring/{name}.py" for name in ("build_list", "build_ring", "publish"))
COMPARISON, TRIE = "spec/publishing/comparison.py", "spec/publishing/trie.py"

CHAIN_BEYOND_8 = Change(
    "chain_ends_after_8",
    LABELS,
    "while len(reached) > len(label):",
    "while len(reached) > len(label) and len(chain) < 8:",
    "a node has no shortcut beyond the eighth",
)
COIN_BEYOND_7 = Change(
    "coin_of_at_most_7_bits",
    SUBSCRIBER,
    "ask = Fraction(1, 2) if often else Fraction(1, 2**bits * bits**2)",
    "ask = Fraction(1, 2) if often else Fraction(1, 2 ** min(bits, 7) * bits**2)",
    "labels of more than 7 bits ask too often",
)
LONG_NEIGHBOUR_IS_LOST = Change(
    "long_neighbour_is_lost",
    LIST,
    "return Outcome(kept) if held is None else one(kept, claim.node, Linearize(held))",
    "return Outcome(kept) if held is None or len(held.label) > 4 else one(kept, claim.node, Linearize(held))",
    "a neighbour with a label of more than 4 bits is replaced and forgotten",
)
HIGHER_FROM_12_ON = Change(
    "higher_label_from_12_on",
    SUPERVISOR,
    "lowest[entry.node] = min(index, lowest.get(entry.node, index))",
    "lowest[entry.node] = min(index, lowest.get(entry.node, index)) if index < 12 else index",
    "repair keeps the higher label from l(12) on",
)
WRONG_SIDE = Change(
    "other_side_is_asked_for",
    COMPARISON,
    'other_side = "1" if closest[len(prefix)] == "0" else "0"',
    "other_side = closest[len(prefix)]",
    "the prefix asked for is that of present publications",
)
ONE_CHILD = Change(
    "one_child",
    TRIE,
    'labels = [least_extension(keys, label + bit) for bit in "01"]',
    'labels = [least_extension(keys, label + bit) for bit in "0"]',
    "a node has a child for 0 only",
)

RANGES_OF_SKIP_PLUS, RULES_OF_SKIP_PLUS = (f"spec/protocols/skip_plus/{name}.py" for name in ("ranges", "rules"))

NEARER_SUCCESSOR = Change(
    "range_to_the_nearer_successor",
    RANGES_OF_SKIP_PLUS,
    "high = None if None in after else max(node for node in after if node is not None)",
    "high = None if None in after else min(node for node in after if node is not None)",
    "a range ends at the nearer one of two successors",
)

NAMES_OF_CHORD, LISTS_OF_CHORD, RULES_OF_CHORD = (
    f"spec/protocols/chord/{name}.py" for name in ("names", "lists", "rules")
)

BETWEEN = "circle.between(low, name, high)"

SKIPPED = f"return frozenset(name for name in members if any({BETWEEN} for low, high in pairs))"

SKIPS_ITS_END = Change(
    "lists_skip_their_ends",
    LISTS_OF_CHORD,
    SKIPPED,
    SKIPPED.replace(BETWEEN, f"({BETWEEN} or name == high)"),
    "a list skips the nodes that it names",
)

TIES = {
    "two_places_cut_the_circle": (
        Change(
            "nothing_lies_across_zero",
            NAMES_OF_CHORD,
            "return low < position < high if low < high else position > low or position < high",
            "return low < position < high if low < high else position > low",
            "between the highest and the lowest place no node lies below",
        ),
        Change(
            "intervals_are_open",
            NAMES_OF_CHORD,
            "return position == high or between(low, position, high)",
            "return between(low, position, high)",
            "a key is not owned by the node that has its id",
        ),
    ),
    "padding_is_shortening": (
        SKIPS_ITS_END,
        Change(
            "lists_skip_no_node_across_zero",
            LISTS_OF_CHORD,
            SKIPPED,
            SKIPPED.replace(BETWEEN, f"{BETWEEN} and circle.id_of(low) < circle.id_of(high)"),
            "a list that goes past zero skips no node there",
        ),
    ),
    "no_step_skips_a_principal": (
        SKIPS_ITS_END,
        Change(
            "answers_of_all_are_used",
            RULES_OF_CHORD,
            "if sender == me or not (sender == first or between(me, sender, first)):",
            "if sender == me:",
            "any node that answers becomes the head",
        ),
        Change(
            "joiners_may_lie_anywhere",
            RULES_OF_CHORD,
            "if circle.between(me, joiner, head(me, local)):",
            "if joiner != head(me, local):",
            "any node that is asked gives a joiner its place",
        ),
        Change(
            "lost_entries_end_lists",
            RULES_OF_CHORD,
            "successors=tuple(name for name in local.successors if name != node),",
            "successors=local.successors[1:],",
            "after a crash of any node the head is dropped",
        ),
    ),
    "invariant_implies_its_consequences": (
        SKIPS_ITS_END,
        Change(
            "best_is_the_last",
            LISTS_OF_CHORD,
            "return next((entry for entry in listed if entry in live), None) if listed else name",
            "return next((entry for entry in reversed(listed) if entry in live), None) if listed else name",
            "the best successor is the last live entry",
        ),
        Change(
            "lists_turn_back",
            LISTS_OF_CHORD,
            "return all(low < high for low, high in pairwise(distances)) and name not in listed",
            "return name not in listed",
            "lists in any order are in order",
        ),
    ),
    "neighbours_have_one_next_bit_between": (
        NEARER_SUCCESSOR,
        Change(
            "last_level_has_no_range",
            RANGES_OF_SKIP_PLUS,
            "return tuple(range_at(me, nodes, level) for level in range(len(string_of(me))))",
            "return tuple(range_at(me, nodes, level) for level in range(max(1, len(string_of(me)) - 1)))",
            "strings of two bits or more have no range at their last level",
        ),
    ),
    "neighbours_are_symmetric": (NEARER_SUCCESSOR,),
    "rule_2_makes_progress": (
        Change(
            "moved_to_the_farthest",
            RULES_OF_SKIP_PLUS,
            "nearest = max if node > view.me else min",
            "nearest = min if node > view.me else max",
            "of those with most of the prefix, the farthest takes a temporary edge over",
        ),
        Change(
            "moved_to_the_least_prefix",
            RULES_OF_SKIP_PLUS,
            "most = max(prefix_length(neighbour, node) for neighbour in view.stable)",
            "most = min(prefix_length(neighbour, node) for neighbour in view.stable)",
            "the node with least of the prefix takes a temporary edge over",
        ),
        Change(
            "farthest_on_the_left",
            RULES_OF_SKIP_PLUS,
            "nearest = max if node > view.me else min",
            "nearest = max",
            "on the left, the farthest takes a temporary edge over",
        ),
    ),
    "chain_gives_neighbours_in_levels": (
        CHAIN_BEYOND_8,
        Change(
            "chain_of_short_labels_only",
            LABELS,
            "while len(reached) > len(label):",
            "while len(reached) > len(label) and len(label) <= 8:",
            "labels of more than 8 bits have no shortcuts",
        ),
        Change(
            "chain_of_label_0",
            LABELS,
            "while len(reached) > len(label):",
            'while len(reached) > len(label) and label != "0":',
            "label 0 has no shortcuts",
        ),
        Change(
            "chain_of_label_1",
            LABELS,
            "while len(reached) > len(label):",
            'while len(reached) > len(label) and (label != "1" or len(reached) > 2):',
            "label 1 lacks its last shortcut",
        ),
        Change(
            "chain_from_64_bits",
            LABELS,
            "while len(reached) > len(label):",
            "while len(reached) > len(label) and len(neighbour) < LONGEST:",
            "from a neighbour with 64 bits no shortcuts follow",
        ),
    ),
    "printed_merge_introduces_others": (
        Change(
            "nearer_closes_the_ring",
            RING,
            "far, near = (claim, ring) if farther else (ring, claim)",
            "far, near = (ring, claim) if farther else (claim, ring)",
            "the nearer of two candidates is kept",
        ),
    ),
    "printed_merge_loses_no_node": (
        Change(
            "nearer_candidate_is_not_placed",
            RING,
            "return one(replace(u, ring=far), far.node, Introduce(near, LIST)).then(linearize, me, near)",
            "return one(replace(u, ring=far), far.node, Introduce(near, LIST))",
            "the nearer of two candidates is not taken into the list",
        ),
    ),
    "set_data_loses_no_reference": (
        Change(
            "far_predecessor_is_dropped",
            SUBSCRIBER,
            "left=pred if pred and pred.label < label else None,",
            "left=pred if pred and pred.label < label and len(pred.label) < 40 else None,",
            "a predecessor with a label of 40 bits or more is not stored",
        ),
    ),
    "edges_of_the_ring": (
        Change(
            "clockwise_is_the_other_way",
            LABELS,
            "return (position(end) - position(start)) % CIRCLE",
            "return (position(start) - position(end)) % CIRCLE",
            "the way is measured in the wrong direction",
        ),
        Change(
            "last_edge_of_label_1",
            LABELS,
            "while len(reached) > len(label):",
            'while len(reached) > len(label) and (label != "1" or len(reached) > 2):',
            "label 1 lacks its last shortcut",
        ),
    ),
    "printed_number_of_edges": (
        CHAIN_BEYOND_8,
        Change(
            "last_edge_of_label_1",
            LABELS,
            "while len(reached) > len(label):",
            'while len(reached) > len(label) and (label != "1" or len(reached) > 2):',
            "label 1 lacks its last shortcut",
        ),
    ),
    "labels_are_a_bijection": (
        Change(
            "index_of_at_most_40_bits",
            LABELS,
            "return int(label[-1] + label[:-1], 2)",
            "return int(label[-1] + label[:-1], 2) % 2**40",
            "the index of a longer label is cut",
        ),
        Change(
            "index_of_label_0",
            LABELS,
            "return int(label[-1] + label[:-1], 2)",
            'return int(label[-1] + label[:-1], 2) if label != "0" else 2',
            "the index of label 0 is not 0",
        ),
        Change(
            "index_of_64_bits",
            LABELS,
            "return int(label[-1] + label[:-1], 2)",
            "return int(label[-1] + label[:-1], 2) - (len(label) == LONGEST)",
            "the index of a label of 64 bits is one less",
        ),
        Change(
            "label_of_all_ones",
            LABELS,
            "return bits[1:] + bits[0]",
            'return bits[1:] + bits[0] if "0" in bits or len(bits) < 3 else bits[1:] + "0"',
            "an index of all ones has a label that ends in 0",
        ),
    ),
    "no_reference_is_lost": (LONG_NEIGHBOUR_IS_LOST,),
    "delegation_comes_nearer": (
        LONG_NEIGHBOUR_IS_LOST,
        Change(
            "claim_is_told_of_the_neighbour",
            LIST,
            "return one(u, held.node, Linearize(claim))",
            "return one(u, claim.node, Linearize(held))",
            "the closer neighbour is delegated to the farther claim",
        ),
    ),
    "hearsay_does_not_relabel": (
        Change(
            "ties_are_believed",
            LIST,
            "if not first_hand and (tied is not None or contradicted):",
            "if not first_hand and contradicted:",
            "a claim that ties is not probed",
        ),
    ),
    "labels_lie_midway": (
        Change(
            "long_indices_are_labels",
            LABELS,
            "return bits[1:] + bits[0]",
            "return bits[1:] + bits[0] if len(bits) < 30 else bits",
            "the leading bit of an index of 30 bits or more stays in front",
        ),
        Change(
            "places_of_63_bits",
            LABELS,
            "return int(label, 2) << (LONGEST - len(label))",
            "return int(label, 2) << max(LONGEST - len(label), 2)",
            "a label of 63 bits or more lies elsewhere",
        ),
    ),
    "strings_are_ordered_as_numbers": (
        Change(
            "place_by_32_bits",
            LABELS,
            "return int(label, 2) << (LONGEST - len(label))",
            "return int(label[:32], 2) << (LONGEST - len(label[:32]))",
            "labels that differ after 32 bits are at one place",
        ),
        Change(
            "places_of_63_bits",
            LABELS,
            "return int(label, 2) << (LONGEST - len(label))",
            "return int(label[:62], 2) << (LONGEST - len(label[:62]))",
            "labels that differ after 62 bits are at one place",
        ),
    ),
    "printed_partners_reach_every_shortcut": (
        Change(
            "long_labels_introduce_neighbours",
            SUBSCRIBER,
            "if not side.chain:",
            'if not side.chain or len(u.label or "") > 5:',
            "a node with a label of more than 5 bits introduces its ring neighbours",
        ),
        Change(
            "label_1_has_no_partner",
            SUBSCRIBER,
            "if not side.chain:",
            'if not side.chain or u.label == "1":',
            "the node labelled 1 introduces its ring neighbours",
        ),
    ),
    "reconciliation_makes_progress": (
        WRONG_SIDE,
        ONE_CHILD,
        Change(
            "hash_of_one_child",
            TRIE,
            "return combined(one.hash, other.hash)",
            "return combined(one.hash, one.hash)",
            "the subtree below 1 has no part in a hash",
        ),
    ),
    "printed_claim_21": (
        Change(
            "one_publication_is_handed_over",
            PUBLISH,
            "sent = [publication for publication in u.publications if publication.key.startswith(message.prefix)]",
            "sent = [publication for publication in u.publications if publication.key.startswith(message.prefix)][:1]",
            "of several publications with a prefix one is handed over",
        ),
    ),
    "printed_claim_22": (WRONG_SIDE,),
    "repair_yields_the_first_labels": (HIGHER_FROM_12_ON,),
    "relabelling_terminates": (
        Change(
            "lowest_beyond_moves_first",
            SUPERVISOR,
            "moved = [node for node in reversed(order) if lowest[node] >= len(order)]",
            "moved = [node for node in order if lowest[node] >= len(order)]",
            "the lowest of those beyond, not the highest, moves into the first gap",
        ),
    ),
    "subscribe_overwrites_no_node": (
        Change(
            "newcomer_takes_a_label",
            SUPERVISOR,
            "database = tuple(sorted((*database, Entry(label_of(len(database)), subscriber))))",
            "database = tuple(sorted((*database[1:], Entry(label_of(0), subscriber))))",
            "the newcomer takes the label of another",
        ),
        Change(
            "sixth_newcomer_takes_a_label",
            SUPERVISOR,
            "database = tuple(sorted((*database, Entry(label_of(len(database)), subscriber))))",
            "database = tuple(sorted((*database[len(database) == 6 :], Entry(label_of(len(database)), subscriber))))",
            "the newcomer to six subscribers replaces one of them",
        ),
    ),
    "requests_stay_below_four_thirds": (COIN_BEYOND_7,),
    "requests_of_long_labels": (COIN_BEYOND_7,),
    "printed_theorem_5": (
        Change(
            "minimal_asks_in_a_third",
            SUBSCRIBER,
            "ask = Fraction(1, 2) if often else Fraction(1, 2**bits * bits**2)",
            "ask = Fraction(1, 3) if often else Fraction(1, 2**bits * bits**2)",
            "the node labelled 0 asks with probability 1/3",
        ),
    ),
    "factored_replay_is_replay": (
        Change(
            "delivered_messages_stay",
            "checker/judge/system.py",
            "taken = self.in_flight.pop(step.took, None)",
            "taken = self.in_flight.get(step.took)",
            "the naive judge lets a message be delivered twice",
        ),
        Change(
            "states_stay",
            "checker/judge/system.py",
            "self.states[step.node] = step.state",
            "self.states.setdefault(step.node, step.state)",
            "the naive judge forgets where a node is",
        ),
        Change(
            "altered_contents_pass",
            "checker/judge/conformance.py",
            "if step.received is not None and not self._same(step.received, sent.message):",
            "if step.received is not None and type(step.received) is not type(sent.message):",
            "the naive judge lets a content be altered",
        ),
    ),
}
"""For each lemma the changes that its samples notice."""
