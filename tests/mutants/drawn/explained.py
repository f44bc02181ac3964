"""Drawn mutants that no test noticed: by file, line before and line after, with the reason."""

EQUAL: dict[tuple[str, str, str], str] = {
    (
        "checker/cli/ingest.py",
        "manifest = ingest(sources, output, pack_size or PACK_SIZE, jobs or os.cpu_count() or 1, report, overwrite)",
        "manifest = ingest(sources, output, pack_size or PACK_SIZE, jobs or os.cpu_count() or 2, report, overwrite)",
    ): "how many processes there are changes no result, and os.cpu_count() is hardly ever None",
    (
        "impl/lower_layers.py",
        "self._graph.command(topic, self._port.leave(False))",
        "self._graph.command(topic, self._port.leave(True))",
    ): "an overlay below a layer holds no publications, and never reads the publications that it is told to forget",
}
"""Those that make no difference, and why."""

UNNOTICED: dict[tuple[str, str, str], str] = {
    (
        "spec/skip_ring/legitimacy.py",
        'return _unless(label == claim.label, "claim_is_true", target, label and Claim(label, claim.node), claim)',
        'return _unless(label == claim.label, "claim_is_true", target, label or Claim(label, claim.node), claim)',
    ): "the expected value of a claim had no test; tests/spec/skip_ring/test_legitimacy.py has one since",
    (
        "spec/delta_fault_tolerance/auditing.py",
        "links = {peer: link(local, peer) for peer in within(local.known, me, 1)}",
        "links = {peer: link(local, peer) for peer in within(local.known, me, 2)}",
    ): "no broker audited past a crashed one; tests/spec/delta_fault_tolerance/test_auditing.py has a test since",
    (
        "spec/chord/messages.py",
        "if parameters.r > 1 and len(names) > 1:",
        "if parameters.r > 1 or len(names) > 1:",
    ): "lists in flight might have been longer than r; tests/spec/chord/test_space.py has a test since",
    (
        "impl/delta_fault_tolerance/table.py",
        "if row.source == source:",
        "if row.source != source:",
    ): "tests/paper/test_two_readings_of_delta_fault_tolerance.py notices it; a test_table.py does since",
    (
        "checker/explore/table/commuting.py",
        "first = self._taken(node, (local, (), 0), one)",
        "first = self._taken(node, (local, (), 1), one)",
    ): "no promise hung on the order of receipts; tests/checker/explore/table/test_rounds.py has a test since",
    (
        "checker/cli/prove.py",
        'json_line("prove", None, describe(lemma)) if form == "json" else "\\n".join(description(describe(lemma)))',
        'json_line("prove", None, describe(lemma)) if form != "json" else "\\n".join(description(describe(lemma)))',
    ): "tests/checker/prove/test_command.py notices it, and does not mirror the file",
    (
        "checker/shrink/shrink.py",
        "return size.bytes < other.bytes and size.steps <= other.steps and 0 < size.nodes <= other.nodes",
        "return size.bytes <= other.bytes and size.steps <= other.steps and 0 < size.nodes <= other.nodes",
    ): "nothing of the same size was offered; tests/checker/shrink/test_shrink.py has a test since",
}
"""Those that do, and which test was missing."""
