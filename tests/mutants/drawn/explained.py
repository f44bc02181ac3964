"""Drawn mutants that no test noticed: by file, line before and line after, with the reason."""

EQUAL: dict[tuple[str, str, str], str] = {
    (
        "checker/cli/commands/ingest.py",
        "manifest = ingest(sources, output, pack_size or PACK_SIZE, jobs or os.cpu_count() or 1, report, overwrite)",
        "manifest = ingest(sources, output, pack_size or PACK_SIZE, jobs or os.cpu_count() or 2, report, overwrite)",
    ): "how many processes there are changes no result, and os.cpu_count() is hardly ever None",
    (
        "impl/api/lower_layers.py",
        "self._graph.command(topic, self._port.leave(False))",
        "self._graph.command(topic, self._port.leave(True))",
    ): "an overlay below a layer holds no publications, and never reads the publications that it is told to forget",
    (
        "spec/protocols/delta_fault_tolerance/sessions.py",
        "return local",
        "return None",
    ): "in told_by: take_up has begun a connection to the peer before, so that there is one",
    (
        "spec/protocols/delta_fault_tolerance/sessions.py",
        "return Outcome(local)",
        "return None",
    ): "in hear_status: a status comes from a peer with a current stream only, so that there is a connection",
    (
        "impl/protocols/delta_fault_tolerance/bounds.py",
        "if len(self._fresh) > max(FRESH, isqrt(len(self._filters))):",
        "if len(self._fresh) >= max(FRESH, isqrt(len(self._filters))):",
    ): "the filters are laid out one addition earlier, and the same ones match",
    (
        "impl/protocols/delta_fault_tolerance/bounds.py",
        "bits = bytearray(max(places) // 8 + 1)",
        "bits = bytearray(max(places) // 8 + 2)",
    ): "a further byte of zeros, the highest one, changes no number",
    (
        "spec/protocols/delta_fault_tolerance/small_failures.py",
        "in_flight=0,",
        "in_flight=1,",
    ): "the model has no message that could be in flight at its start",
}
"""Those that make no difference, and why."""

UNNOTICED: dict[tuple[str, str, str], str] = {
    (
        "spec/protocols/skip_ring/legitimacy.py",
        'return _unless(label == claim.label, "claim_is_true", target, label and Claim(label, claim.node), claim)',
        'return _unless(label == claim.label, "claim_is_true", target, label or Claim(label, claim.node), claim)',
    ): "the expected value of a claim had no test; tests/spec/protocols/skip_ring/test_legitimacy.py has one since",
    (
        "spec/protocols/delta_fault_tolerance/auditing.py",
        "links = {peer: link(local, peer) for peer in within(local.known, me, 1)}",
        "links = {peer: link(local, peer) for peer in within(local.known, me, 2)}",
    ): "no broker audited past a crashed one; delta_fault_tolerance/test_auditing.py of the spec has a test since",
    (
        "spec/protocols/chord/messages.py",
        "if parameters.r > 1 and len(names) > 1:",
        "if parameters.r > 1 or len(names) > 1:",
    ): "lists in flight might have been longer than r; tests/spec/protocols/chord/test_space.py has a test since",
    (
        "impl/protocols/delta_fault_tolerance/table.py",
        "if row.source == source:",
        "if row.source != source:",
    ): "tests/paper/test_two_readings_of_delta_fault_tolerance.py notices it; a test_table.py does since",
    (
        "checker/explore/table/rounds/commuting.py",
        "first = self._taken(node, (local, (), 0), one)",
        "first = self._taken(node, (local, (), 1), one)",
    ): "no promise hung on the order of receipts; tests/checker/explore/table/test_rounds.py has a test since",
    (
        "checker/cli/commands/prove.py",
        'json_line("prove", None, describe(lemma)) if form == "json" else "\\n".join(description(describe(lemma)))',
        'json_line("prove", None, describe(lemma)) if form != "json" else "\\n".join(description(describe(lemma)))',
    ): "tests/checker/prove/test_command.py notices it, and does not mirror the file",
    (
        "checker/shrink/shrink.py",
        "return size.bytes < other.bytes and size.steps <= other.steps and 0 < size.nodes <= other.nodes",
        "return size.bytes <= other.bytes and size.steps <= other.steps and 0 < size.nodes <= other.nodes",
    ): "nothing of the same size was offered; tests/checker/shrink/test_shrink.py has a test since",
    (
        "spec/protocols/topic_directory/disturbances.py",
        "moving = (*members[1::4], *(name for name in every if name not in members))",
        "moving = (*members[1::5], *(name for name in every if name not in members))",
    ): "no test asked which nodes move; tests/spec/protocols/topic_directory/test_disturbances.py has one since",
    (
        "spec/protocols/skip_plus/premise.py",
        'return tuple(Fault("gone_takes_no_part", name, expected, node, "Slide 20") for name, node in false[:1])',
        'return tuple(Fault("gone_takes_no_part", name, expected, node, "Slide 20") for name, node in false[:2])',
    ): "no start had two false departures; tests/spec/protocols/skip_plus/test_space.py has one since",
    (
        "spec/protocols/delta_fault_tolerance/cited.py",
        "begins = isinstance(message, BEGINNING) and not is_outlived(local, message.sender, message.stream)",
        "begins = isinstance(message, BEGINNING) and is_outlived(local, message.sender, message.stream)",
    ): "tests/traces notices it, and does not mirror the file; a test_cited.py does since",
    (
        "spec/protocols/delta_fault_tolerance/disturbances.py",
        "EARLY = OneOf(tuple(map(float, range(1, 9))))",
        "EARLY = OneOf(tuple(map(float, range(1, 10))))",
    ): "the disturbances were not counted; a test_disturbances.py counts them since",
    (
        "spec/protocols/skip_plus/space.py",
        "return 20 + nodes + 2 * ceil(log2(max(nodes, 1))) ** 2",
        "return 20 + nodes + 3 * ceil(log2(max(nodes, 1))) ** 2",
    ): "the bound had no test; tests/spec/protocols/skip_plus/test_space.py has one since",
    (
        "spec/protocols/skip_plus/disturbances.py",
        "moving = ascending((*members[1::4], *outside))",
        "moving = ascending((*members[1::5], *outside))",
    ): "no test asked which nodes move; a test_disturbances.py does since",
    (
        "spec/protocols/dissemination/space.py",
        "outside |= set([name for name in every if name not in outside][: size.outside - len(outside)])",
        "outside |= set([name for name in every if name in outside][: size.outside - len(outside)])",
    ): "no start had more nodes outside than inside; a test_space.py has some since",
    (
        "spec/protocols/dissemination/space.py",
        "Record(_member(right[me]), (_others(members, me, right[me]), *holding)) if me in members else OneOf((BLANK,))",
        "Record(_member(right[me]), (_others(members, me, right[me]), *holding)) "
        "if me not in members else OneOf((BLANK,))",
    ): "the starts were not counted; a test_space.py counts them since",
    (
        "spec/protocols/dissemination/disturbances.py",
        "TIMES = OneOf(tuple(map(float, range(1, 31))))",
        "TIMES = OneOf(tuple(map(float, range(2, 31))))",
    ): "the disturbances were not counted; a test_disturbances.py counts them since",
    (
        "spec/protocols/chord/messages.py",
        "kinds.append(Record(JoinRequest, (anybody, anybody)))",
        "pass",
    ): "the kinds of messages in flight were not counted; tests/spec/protocols/chord/test_space.py counts them since",
    (
        "impl/protocols/delta_fault_tolerance/links.py",
        "entrust(at, peer)",
        "pass",
    ): "no drawn run has a message that waits past a broker that is back; the two readings have a state with one since",
    (
        "impl/protocols/delta_fault_tolerance/forwarding.py",
        "_instead(at, entry, closed)",
        "pass",
    ): "no drawn run has a message that waits past a broker that is back; the two readings have a state with one since",
    (
        "impl/protocols/delta_fault_tolerance/index.py",
        'and all(predicate.operator in ("<", "<=", ">", ">=") for predicate in predicates)',
        'and any(predicate.operator in ("<", "<=", ">", ">=") for predicate in predicates)',
    ): "few filters had a prefix beside bounds; test_index.py has many since",
    (
        "impl/protocols/delta_fault_tolerance/index.py",
        "return max(prefixes, key=lambda predicate: len(str(predicate.value)))",
        "return min(prefixes, key=lambda predicate: len(str(predicate.value)))",
    ): "the number of filters tried by a prefix was not asked; test_index.py asks since",
    (
        "impl/protocols/delta_fault_tolerance/index.py",
        "self._tree.clear()",
        "pass",
    ): "intervals were seldom laid out twice; test_index.py does so since",
    (
        "impl/api/joining.py",
        "self._missed.pop(contact, None)",
        "pass",
    ): "no contact that was gone was added again; tests/impl/api/test_joining.py has one since",
    (
        "impl/protocols/dissemination/__init__.py",
        "IMPLEMENTATION = _implementation(Limits(key_bits=32))",
        "IMPLEMENTATION = _implementation(Limits(key_bits=33))",
    ): "the usual number of bits had no test; tests/impl/protocols/dissemination/test_core.py has one since",
    (
        "impl/protocols/delta_fault_tolerance/port.py",
        'State("operational", 0, known, streams=min(1, len(connections)), connections=connections)',
        'State("operational", 0, known, streams=max(1, len(connections)), connections=connections)',
    ): "no tree had one broker; a test_port.py has one since",
    (
        "impl/protocols/delta_fault_tolerance/port.py",
        'return Ready(status == "operational")',
        "return None",
    ): "tests/impl/api/test_content.py notices it, and does not mirror the file; a test_port.py does since",
    (
        "spec/protocols/delta_fault_tolerance/filters.py",
        'return "whole numbers without a fraction"',
        "return None",
    ): "no filter had a whole number with a fraction; delta_fault_tolerance/test_filters.py of the spec has some since",
}
"""Those that do, and which test was missing."""
