"""Changes of the rules of Skip+, of its ranges, its legitimacy, and the premise of convergence."""

from tests.mutants.change import Change

RULES, RANGES, LEGITIMACY, NAMES, PREMISE = (
    f"spec/protocols/skip_plus/{name}.py" for name in ("rules", "ranges", "legitimacy", "names", "premise")
)
TESTS = tuple(
    f"tests/spec/protocols/skip_plus/test_{name}.py"
    for name in ("rules", "ranges", "legitimacy", "names", "space", "models")
)


def _change(name, path, before, after, breaks):
    return Change(name, path, before, after, breaks, TESTS)


OF_SKIP_PLUS = (
    _change(
        "reverse_edges_of_all",
        RULES,
        "return ((node, view.me) for node in view.stable)",
        "return ((node, view.me) for node in view.known)",
        "temporary neighbours are told of this node, too (Rule 1a)",
    ),
    _change(
        "introductions_one_way",
        RULES,
        "yield other, node",
        "yield node, other",
        "only one of two is told of the other (Rules 1b and 1c)",
    ),
    _change(
        "introductions_by_ones_own_range",
        RULES,
        "if meets(node, view.told[node], other):",
        "if meets(node, view.told[other], other):",
        "membership in the range of another node is looked up in one's own (Rules 1b and 1c)",
    ),
    _change(
        "unverified_introductions_of_all",
        RULES,
        "return ((node, other) for node in view.known for other in view.told if other != node)",
        "return ((node, other) for node in view.known for other in view.known if other != node)",
        "a node that has not spoken is introduced to all (Rule 3a)",
    ),
    _change(
        "all_introduced_when_nothing_changes",
        RULES,
        "if view.stable == view.before:",
        "if view.stable != view.before:",
        "all are introduced when nothing has changed (Rule 3a)",
    ),
    _change(
        "moved_to_the_farthest",
        RULES,
        "nearest = max if node > view.me else min",
        "nearest = min if node > view.me else max",
        "a temporary edge goes to the farthest of those with most of the prefix (Rule 2)",
    ),
    _change(
        "linearized_unverified",
        RULES,
        "yield from ((node, after) for node, after in pairwise(members) if after in view.told)",
        "yield from ((node, after) for node, after in pairwise(members))",
        "a node that has not spoken is introduced to the one before (Rule 3b)",
    ),
    _change(
        "introduced_to_itself",
        RULES,
        "return ((node, other) for node in view.known for other in view.told if other != node)",
        "return ((node, other) for node in view.known for other in view.told)",
        "a node that has spoken is introduced to itself (Rule 3a)",
    ),
    _change(
        "linearized_downwards",
        RULES,
        "yield from ((node, after) for node, after in pairwise(members) if after in view.told)",
        "yield from ((after, node) for node, after in pairwise(members) if after in view.told)",
        "each hears of the one before instead of the next one (Rule 3b)",
    ),
    _change(
        "moved_to_the_least_alike",
        RULES,
        "most = max(prefix_length(neighbour, node) for neighbour in view.stable)",
        "most = min(prefix_length(neighbour, node) for neighbour in view.stable)",
        "a temporary neighbour is moved to the node with the shortest common prefix (Rule 2)",
    ),
    _change(
        "told_of_strangers_counts",
        RULES,
        "told_ranges = {entry.node: entry.ranges for entry in local.told if entry.node in known}",
        "told_ranges = {entry.node: entry.ranges for entry in local.told}",
        "a node that has spoken is introduced, though it is no neighbour",
    ),
    _change(
        "linearized_at_least",
        RULES,
        "return common == level",
        "return common >= level",
        "the common prefix may be longer (Rule 3b)",
    ),
    _change(
        "equal_strings_are_a_level",
        RULES,
        "for level in range(len(string_of(view.me))):",
        "for level in range(len(string_of(view.me)) + 1):",
        "nodes with one's own string are a class, too (Rule 3b)",
    ),
    _change(
        "nothing_is_given_back",
        RULES,
        "return Outcome(local, (Send(update.sender, Gone(me, update.inserts)),))",
        "return Outcome(local, (Send(update.sender, Gone(me, ())),))",
        "a departed node keeps the inserts sent to it",
    ),
    _change(
        "the_dead_remember",
        RULES,
        "return Outcome(ABSENT)",
        "return Outcome(replace(local, live=False))",
        "a crashed node keeps its variables",
    ),
    _change(
        "the_gone_stay",
        RULES,
        "return View(me, known, self.neighbours(me, known), local.stable, told_ranges)",
        "return View(me, ascending((*known, *local.gone)), self.neighbours(me, known), local.stable, told_ranges)",
        "a departed node is sent Updates and stays a neighbour",
    ),
    _change(
        "told_of_the_temporary_stays",
        RULES,
        "kept_ranges = tuple(entry for entry in local.told if entry.node in kept)",
        "kept_ranges = tuple(entry for entry in local.told if entry.node in view.known)",
        "ranges told by nodes that were moved are remembered",
    ),
    _change(
        "first_word_counts",
        RULES,
        "entries = {entry.node: entry for entry in local.told} | {update.sender: news}",
        "entries = {update.sender: news} | {entry.node: entry for entry in local.told}",
        "ranges told before are not replaced",
    ),
    _change(
        "inserts_replace",
        RULES,
        "known = ascending((*local.neighbours, *update.inserts))",
        "known = ascending(update.inserts) or local.neighbours",
        "inserts take the place of the neighbours",
    ),
    _change(
        "what_comes_back_is_lost",
        RULES,
        "known = ascending((*local.neighbours, *gone.inserts))",
        "known = local.neighbours",
        "references that come back from a departed node are dropped",
    ),
    _change(
        "only_one_is_gone",
        RULES,
        "return Outcome(replace(local, neighbours=known, gone=ascending((*local.gone, gone.node))))",
        "return Outcome(replace(local, neighbours=known, gone=(gone.node,)))",
        "of several that are gone the last is remembered",
    ),
    _change(
        "joining_forgets",
        RULES,
        "return Outcome(replace(local, live=True, neighbours=ascending((*local.neighbours, *met))))",
        "return Outcome(replace(local, live=True, neighbours=ascending(met)))",
        "a node that joins again forgets its neighbours",
    ),
    _change(
        "contact_is_oneself",
        RULES,
        "case Commanded(Join(contact)) if contact != me:",
        "case Commanded(Join(contact)):",
        "one may join through oneself",
    ),
    _change(
        "range_to_the_nearer_successor",
        RANGES,
        "high = None if None in after else max(node for node in after if node is not None)",
        "high = None if None in after else min(node for node in after if node is not None)",
        "a range ends at the nearer of two successors",
    ),
    _change(
        "range_with_one_end",
        RANGES,
        "low = None if None in before else min(node for node in before if node is not None)",
        "low = min((node for node in before if node is not None), default=None)",
        "a side is unbounded only where both predecessors are lacking",
    ),
    _change(
        "prefix_is_forgotten",
        RANGES,
        "return any(contains(span, node) for span in bounds[: prefix_length(me, node) + 1])",
        "return any(contains(span, node) for span in bounds)",
        "a node in a range is a neighbour with any string",
    ),
    _change(
        "level_of_the_prefix_is_left_out",
        RANGES,
        "return any(contains(span, node) for span in bounds[: prefix_length(me, node) + 1])",
        "return any(contains(span, node) for span in bounds[: max(1, prefix_length(me, node))])",
        "the highest common level does not count",
    ),
    _change(
        "strings_of_any_length",
        NAMES,
        "if len(lengths) > 1:",
        "if len(lengths) > 2:",
        "strings of two lengths are a system",
    ),
    _change(
        "senders_are_not_judged",
        LEGITIMACY,
        '("sender_is_neighbour", around, around if known else message.sender, "Slide 15"),',
        '("sender_is_neighbour", around, around, "Slide 15"),',
        "an Update may come from any node",
    ),
    _change(
        "targets_are_not_judged",
        LEGITIMACY,
        "if target not in live:",
        "if False and target not in live:",
        "an Update may go to a departed node",
    ),
    _change(
        "told_of_itself_is_wrong",
        LEGITIMACY,
        "strange = tuple(node for node in message.inserts if node not in {*around, target})",
        "strange = tuple(node for node in message.inserts if node not in around)",
        "an insert of the target itself is at fault, though each round has some",
    ),
    _change(
        "the_dead_connect",
        PREMISE,
        "back = isinstance(message, Update) and target in states and not states[target].live",
        "back = False and isinstance(message, Update)",
        "messages on their way to a departed node connect no nodes",
    ),
    _change(
        "false_departures_are_promised",
        PREMISE,
        "return (*disconnected(states, in_flight), *falsely_gone(states, in_flight))",
        "return disconnected(states, in_flight)",
        "convergence is promised though a member is said to be gone",
    ),
    _change(
        "remembered_departures_are_promised",
        PREMISE,
        "false = [(name, node) for name, node in (*remembered, *said) if name in live and node in live]",
        "false = [(name, node) for name, node in said if name in live and node in live]",
        "convergence is promised though a node remembers that a member is gone",
    ),
)
