"""Changes of the rules of delta-fault-tolerance, of its legitimacy, assumptions and promises, and of its cores."""

from tests.mutants.change import Change

FORWARDING, MULTICAST, TABLES, SESSIONS, RECOVERY, LINKS, ASSUMPTION, LEGITIMACY = (
    f"spec/protocols/delta_fault_tolerance/{name}.py"
    for name in (
        "forwarding",
        "multicast",
        "tables",
        "sessions",
        "recovery",
        "links",
        "assumption",
        "legitimacy",
    )
)
CORE, CLIENT, IMPLEMENTED_LINKS, RECOVERING, TABLE, ON_THE_WAY = (
    f"impl/protocols/delta_fault_tolerance/{name}.py"
    for name in ("core", "client", "links", "recovering", "table", "forwarding")
)
RUNNING, SHORTEST, MASKING = (
    f"checker/evidence/delta_fault_tolerance/{name}.py"
    for name in ("experiments/running", "experiments/shortest", "claims/masking")
)
SPECIFIED = tuple(
    f"tests/spec/protocols/delta_fault_tolerance/test_{name}.py"
    for name in ("recovery", "forwarding", "sessions", "rules")
)
JOINING, AUDITING = (f"spec/protocols/delta_fault_tolerance/{name}.py" for name in ("joining", "auditing"))
EXTENDED = tuple(f"tests/spec/protocols/delta_fault_tolerance/test_{name}.py" for name in ("joining", "auditing"))
STATED = ("tests/spec/protocols/delta_fault_tolerance/test_models.py",)
IMPLEMENTED = (
    "tests/impl/protocols/delta_fault_tolerance/test_core.py",
    "tests/impl/protocols/delta_fault_tolerance/test_recovering.py",
)

UNEVEN = ("tests/paper/test_two_readings_of_delta_fault_tolerance.py",)
"""Lockstep: only its runs over uneven links, 40 or more, notice the changes that are held against it."""

SHOWN = (
    "tests/checker/evidence/delta_fault_tolerance/test_running.py",
    "tests/spec/protocols/delta_fault_tolerance/test_recovery.py",
    "tests/spec/protocols/delta_fault_tolerance/test_long_runs.py",
)


def _change(name, path, before, after, breaks):
    """A change, and the tests that it is held against: those of the rules, first."""
    stated = STATED if path in (ASSUMPTION, LEGITIMACY) else SPECIFIED
    held = {"impl": IMPLEMENTED, "checker": SHOWN}.get(path.partition("/")[0], stated)
    return Change(f"delta_{name}", path, before, after, breaks, held)


OF_DELTA_FAULT_TOLERANCE = (
    _change(
        "all_but_the_sender",
        FORWARDING,
        "return hop is None or direction(me, name) != direction(me, hop)",
        "return hop is None or name != hop",
        "a message that has passed a broker goes back to it",
    ),
    _change(
        "stamps_may_repeat",
        FORWARDING,
        "return any(stamp is not None and node in seen and stamp <= seen[node] for node, stamp in visited)",
        "return any(stamp is not None and node in seen and stamp < seen[node] for node, stamp in visited)",
        "a message that comes twice with the same stamps is no duplicate",
    ),
    _change(
        "older_stamps_are_recorded",
        FORWARDING,
        "recorded[node] = max(stamp, recorded.get(node, stamp))",
        "recorded[node] = stamp",
        "an older stamp takes the place of a newer one",
    ),
    _change(
        "no_node_is_guided",
        FORWARDING,
        'guide = None if connection.status == "operational" else behind',
        "guide = None",
        "a recovering broker forwards by its incomplete tables",
    ),
    _change(
        "rows_reach_too_near",
        FORWARDING,
        "return path(other, via)[: broker.reach + 1][-1]",
        "return path(other, via)[: broker.reach][-1]",
        "a row names a broker delta away, not delta + 1",
    ),
    _change(
        "recovering_recipients_are_not_widened",
        FORWARDING,
        'return peer is not None and (peer.peer != name or peer.status == "operational")',
        "return peer is not None",
        "a recipient that recovers does not give its place to those beyond",
    ),
    _change(
        "bypassed_are_not_visited",
        FORWARDING,
        "visited = appended(broker.reach, entry.visited, ((broker.me, entry.stamp), *passed))",
        "visited = appended(broker.reach, entry.visited, ((broker.me, entry.stamp),))",
        "a copy does not name the brokers that it has come past",
    ),
    _change(
        "everything_visited_is_kept",
        FORWARDING,
        "return (*visited, *further)[-reach:]",
        "return (*visited, *further)",
        "a message carries the stamps of more than delta + 1 brokers",
    ),
    _change(
        "too_many_failures_are_not_told",
        MULTICAST,
        "lost = tuple(name for name in nobody if broker.rule(stays)(local, broker, content, name))",
        "lost: Names = ()",
        "behind more than delta failures a message is confirmed in silence",
    ),
    _change(
        "operations_before_the_tables",
        MULTICAST,
        'if local.status == "recovering" and local.asking:',
        "if False:",
        "subscriptions made while tables are asked for are lost when the tables arrive",
    ),
    _change(
        "older_than_the_table",
        MULTICAST,
        "return applied(rows, content) != rows",
        "return False",
        "an operation older than a table is applied after it",
    ),
    _change(
        "second_sender_is_not_confirmed",
        MULTICAST,
        "senders = tuple(sorted({*pending.senders, message.sender}))",
        "senders = pending.senders",
        "the sender of a duplicate of an unconfirmed message waits for ever",
    ),
    _change(
        "recovering_brokers_publish",
        MULTICAST,
        'if local.status != "operational":',
        "if False:",
        "a publication sets out while its broker recovers",
    ),
    _change(
        "ending_subscriptions_are_served",
        MULTICAST,
        "wanted = tuple(own.filter for own in local.own "
        'if own.phase != "unsubscribing" and matches(attributes, own.filter))',
        "wanted = tuple(own.filter for own in local.own if matches(attributes, own.filter))",
        "a client that has unsubscribed receives publications until that is confirmed",
    ),
    _change(
        "rejoin_adds_only",
        TABLES,
        "others = _without(rows, source, None)",
        "others = _without(rows, source, filters)",
        "rows stay of subscriptions that ended behind a broker's back",
    ),
    _change(
        "one_row_of_a_source",
        TABLES,
        "return tuple(row for row in rows if row.source != source or (filters is not None and row.filter not in "
        "filters))",
        "return tuple(row for row in rows if row.source != source)",
        "a second subscription takes the place of the first",
    ),
    _change(
        "rejoin_says_what_ends",
        TABLES,
        'return tuple(own.filter for own in local.own if own.phase != "unsubscribing")',
        "return tuple(own.filter for own in local.own)",
        "REJOIN says a subscription that its client has begun to end",
    ),
    _change(
        "no_node_is_gone_past",
        RECOVERY,
        "if peer not in local.asking:",
        "if True:",
        "brokers that recover wait for each other",
    ),
    _change(
        "any_node_is_believed",
        RECOVERY,
        "if peer in way or not way:",
        "if True:",
        "the word of a broker off the way to a source counts beside that of a broker on it",
    ),
    _change(
        "later_is_never",
        RECOVERY,
        "for operation in local.later:",
        "for operation in ():",
        "subscriptions made while tables are asked for are forgotten",
    ),
    _change(
        "connected_past_the_nearest",
        SESSIONS,
        "fresh = tuple(peer for peer in peers if not linked & {*path(broker.me, peer)[1:]})",
        "fresh = tuple(peer for peer in peers if peer not in linked)",
        "after a failure, brokers are connected to past one that is connected",
    ),
    _change(
        "late_words_are_missed",
        SESSIONS,
        "if stamp and connection and connection.theirs and connection.theirs[0] < stamp[0]:",
        "if False:",
        "a connection to a broker that has crashed and is back stays if the detector was too late",
    ),
    _change(
        "every_stamp_tells_of_a_crash",
        SESSIONS,
        "if stamp and connection and connection.theirs and connection.theirs[0] < stamp[0]:",
        "if stamp and connection and connection.theirs and connection.theirs[0] <= stamp[0]:",
        "the sender of any message is taken for failed",
    ),
    _change(
        "late_answers_are_dropped",
        SESSIONS,
        "return Outcome(local, (Send(peer, Close(broker.me, message.heard)),))",
        "return Outcome(local)",
        "a broker that answers a closed connection keeps it for ever",
    ),
    _change(
        "old_answers_are_taken",
        SESSIONS,
        "if message.heard is not None and connection is not None and connection.mine != message.heard:",
        "if False:",
        "the answer to a stream that is over is taken for one to the present",
    ),
    _change(
        "bypasses_stay",
        SESSIONS,
        "past = tuple(name for name in connected(local) if name != peer and lies_on(peer, broker.me, name))",
        "past: Names = ()",
        "connections past a broker that is operational again are kept",
    ),
    _change(
        "closed_by_a_node_that_is_asked",
        SESSIONS,
        "if peer in local.asking:",
        "if False:",
        "a broker that is asked and closes the connection is waited for without one",
    ),
    _change(
        "entrusted_and_waited_for",
        FORWARDING,
        "waiting = tuple(sorted({*entry.waiting, peer} - (past - {peer})))",
        "waiting = tuple(sorted({*entry.waiting, peer}))",
        "a message entrusted to a nearer broker waits for the farther one as well",
    ),
    _change(
        "only_the_operational_answer",
        RECOVERY,
        "if local.asking:",
        'if local.status != "operational":',
        "a broker that asks while REJOIN is on its way hears neither a table nor REJOIN",
    ),
    _change(
        "crossing_questions",
        RECOVERY,
        "if connection is None or connection.theirs is not None:",
        "if True:",
        "two questions that cross are answered in streams that neither takes",
    ),
    _change(
        "copies_without_stamps",
        RECOVERY,
        "elif before and not local.asking and any(lies_on(peer, broker.me, name) for name in entry.recipients):",
        "elif before and any(lies_on(peer, broker.me, name) for name in entry.recipients):",
        "an old operation is copied to a broker that hears nothing of its end",
    ),
    _change(
        "same_incarnation",
        RECOVERY,
        'local = replace(local, status="recovering", incarnation=local.incarnation + 1)',
        'local = replace(local, status="recovering")',
        "a broker that comes back counts from 0 in the same incarnation",
    ),
    _change(
        "own_stamp_is_not_told",
        RECOVERY,
        "mine = [(broker.me, (local.incarnation, local.count))] if local.count else []",
        "mine: list[tuple[str, tuple[int, int]]] = []",
        "a recovering broker is not told the last stamp of the answering one",
    ),
    _change(
        "stamps_of_the_other_side",
        RECOVERY,
        "recorded = [pair for pair in local.seen if broker.rule(leads_away)(broker.me, pair[0], peer)]",
        "recorded = list(local.seen)",
        "a message sent again by the other side is a duplicate for a recovering broker",
    ),
    _change(
        "outlived_streams_are_taken",
        LINKS,
        "return any(node == sender and stamp[0] > stream[0] for node, stamp in local.seen)",
        "return False",
        "a question from before a crash opens a connection to a broker that has forgotten it",
    ),
    _change(
        "one_more_may_fail",
        ASSUMPTION,
        "if len(longest) <= parameters.delta:",
        "if len(longest) <= parameters.delta + 1:",
        "delta + 1 in a row away are within the assumption",
    ),
    _change(
        "streams_need_not_agree",
        LEGITIMACY,
        'if (connection.status, connection.theirs) != ("operational", theirs):',
        'if connection.status != "operational":',
        "a connection with ends that name different streams is right",
    ),
    _change(
        "outlived_messages_are_taken_by_the_core",
        CORE,
        "if is_outlived(at, message):",
        "if False:",
        "a question from before a crash opens a connection to a broker that has forgotten it",
    ),
    _change(
        "core_forgets_what_comes_later",
        CORE,
        "for change in at.recovery.later:",
        "for change in ():",
        "subscriptions made while tables are asked for are forgotten",
    ),
    _change(
        "core_is_deaf_to_later_incarnations",
        CORE,
        "for peer in outlived(at, message.visited):",
        "for peer in ():",
        "a connection to a broker that has crashed and is back stays if the detector was too late",
    ),
    _change(
        "core_answers_when_operational",
        RECOVERING,
        "if not at.recovery.asking:",
        'if at.status == "operational":',
        "a broker that asks while a rejoining is on its way hears neither a table nor that",
    ),
    _change(
        "core_believes_any_node",
        RECOVERING,
        "return peer in way or at.recovery.answers.keys().isdisjoint(way)",
        "return True",
        "the word of a broker off the way to a source counts beside that of a broker on it",
    ),
    _change(
        "core_applies_what_is_older_than_a_table",
        CORE,
        "if not is_outdated(at, message.sender, message.content):",
        "if True:",
        "an operation older than a table is applied after it",
    ),
    _change(
        "cores_questions_cross",
        IMPLEMENTED_LINKS,
        "if link is None or link.theirs is not None:",
        "if True:",
        "two questions that cross are answered in streams that neither takes",
    ),
    _change(
        "rejoining_adds_only_in_the_core",
        TABLE,
        "if row.source == source:",
        "if row.source == source and row.filter in filters:",
        "rows stay of subscriptions that ended behind a broker's back",
    ),
    _change(
        "core_copies_without_stamps",
        ON_THE_WAY,
        "elif not before_stamps or not _goes_by(at, entry, peer):",
        "elif not _goes_by(at, entry, peer):",
        "an old operation is copied to a broker that hears nothing of its end",
    ),
    _change(
        "core_sends_back_to_a_node_that_was_bypassed",
        ON_THE_WAY,
        "return {name for name in names if towards(at.me, name) != back}",
        "return {name for name in names if name != sender}",
        "a message that has passed a broker goes back to it",
    ),
    _change(
        "core_says_what_ends",
        CLIENT,
        'return tuple(own.filter for own in sorted(at.own.values(), key=_by_filter) if own.phase != "unsubscribing")',
        "return tuple(own.filter for own in sorted(at.own.values(), key=_by_filter))",
        "a rejoining says a subscription that its client has begun to end",
    ),
    _change(
        "closed_in_silence",
        SESSIONS,
        "return broker.rule(close)(local, broker, (peer,)).then(bypass, broker, peer)",
        "return bypass(without_link(local, peer), broker, peer)",
        "after two short failures of the broker between, a bypass stays for ever",
    ),
    _change(
        "closed_in_silence_by_the_core",
        IMPLEMENTED_LINKS,
        "at.send(peer, Close(at.me, given_up.mine))",
        "pass",
        "after two short failures of the broker between, a bypass stays for ever",
    ),
    _change(
        "links_to_a_node_that_crashes_stay",
        RUNNING,
        "link.clear()",
        "pass",
        "in the runs of the claims, messages on their way to a crashing broker arrive when it is back",
    ),
    _change(
        "first_of_a_link_is_lost",
        RUNNING,
        "link.pop()",
        "link.popleft()",
        "in the runs of the claims, a crash loses the first messages of a link and not the last",
    ),
    _change(
        "a_node_that_is_away_hears_later",
        RUNNING,
        "if not asleep(self.states[send.target]):",
        "if True:",
        "in the runs of the claims, messages to a crashed broker wait for it",
    ),
    _change(
        "runs_break_the_assumption",
        RUNNING,
        "if not asleep(run.states[node]) and not assumption(Parameters(delta), after, ()):",
        "if not asleep(run.states[node]):",
        "in the runs of the claims, more than delta in a row are away",
    ),
    _change(
        "histories_are_not_looked_at",
        RUNNING,
        "self.broken.setdefault(name, len(self.turns))",
        "pass",
        "in the runs of the claims, nothing is ever lost, doubled or out of order",
    ),
    _change(
        "states_are_not_looked_at",
        RUNNING,
        "return tuple(dict.fromkeys((*self.broken, *(fault.rule for fault in faults))))",
        "return tuple(self.broken)",
        "in the runs of the claims, every final state is right",
    ),
    _change(
        "detector_is_silent",
        RUNNING,
        "return restarts + words",
        "return restarts",
        "in the runs of the claims, no broker hears of a crash",
    ),
    _change(
        "stuck_though_owed",
        SHORTEST,
        "at_rest = not waiting and not any(offer.owed for offer in offers)",
        "at_rest = not waiting",
        "a run in which a restart is owed counts as one that never becomes right",
    ),
    _change(
        "nothing_drawn_is_wrong",
        MASKING,
        "return runs * len(made), sum(map(len, made))",
        "return runs * len(made), 0",
        "of the runs that are drawn for a claim, none is ever wrong",
    ),
    _change(
        "undecided_whatever_is_seen",
        MASKING,
        'return Evidence(Result.REFUTED if wrong else Result.UNDECIDED, {"runs": runs, "wrong": wrong})',
        'return Evidence(Result.UNDECIDED, {"runs": runs, "wrong": wrong})',
        "a variant that breaks is called undecided",
    ),
    *(
        Change(f"delta_{name}", path, before, after, breaks, EXTENDED)
        for name, path, before, after, breaks in (
            (
                "a_leaf_is_answered_before_it_is_known",
                JOINING,
                "if answered or peer not in outcome.local.known:",
                "if answered:",
                "a leaf is told its table before all near brokers know it",
            ),
            (
                "a_leaf_is_answered_twice",
                JOINING,
                "answered = connection is not None and connection.theirs == message.stream",
                "answered = False",
                "a question that is said again is answered again",
            ),
            (
                "a_child_that_asks_is_waited_for",
                JOINING,
                "return go_past(local, broker, peer)",
                "return Outcome(local)",
                "a parent and its leaf that ask each other wait for ever",
            ),
            (
                "joining_goes_past_a_node_that_is_away",
                MULTICAST,
                "return (isinstance(content, Joined) and gone in local.known) "
                "or distance(broker.me, gone) == broker.reach",
                "return distance(broker.me, gone) == broker.reach",
                "a broker that is down while a leaf joins never knows it",
            ),
            (
                "a_node_that_joins_counts_as_away",
                ASSUMPTION,
                'return local.status == "failed" or (local.status == "recovering" and local.incarnation > 0)',
                'return local.status in ("failed", "recovering")',
                "no broker may join where no broker may fail",
            ),
            (
                "stray_rows_stay_in_an_audit",
                AUDITING,
                "others = dict.fromkeys(row for row in local.rows if row not in side)",
                "others = dict.fromkeys(local.rows)",
                "rows that the neighbour does not have stay",
            ),
            (
                "rows_of_all_sides_are_replaced",
                AUDITING,
                "return tuple(row for row in rows if row.source != me and direction(me, row.source) == peer)",
                "return tuple(row for row in rows if row.source != me)",
                "an audit by one neighbour takes rows of the others away",
            ),
        )
    ),
    _change(
        "restarted_publishers_are_not_seen",
        "spec/protocols/delta_fault_tolerance/promises.py",
        "stamp, last = (incarnation, count), dict(seen)",
        "stamp, last = (0, count), dict(seen)",
        "publications of a publisher that has restarted count as those before its crash",
    ),
    Change(
        "delta_stamps_of_seen_are_not_checked",
        "spec/protocols/delta_fault_tolerance/state.py",
        "Stamps = Annotated[tuple[tuple[NodeName, Stamp], ...], Ascending(itemgetter(0))]",
        "Stamps = Annotated[tuple[tuple[NodeName, tuple[int, int]], ...], Ascending(itemgetter(0))]",
        "a state may have recorded stamps that no broker gives",
        ("tests/spec/protocols/delta_fault_tolerance/test_wellformed.py",),
    ),
    *(
        Change(f"delta_{name}", RECOVERING, before, after, breaks, UNEVEN)
        for name, before, after, breaks in (
            (
                "core_sends_back_as_if_stamps_came",
                "send_back(at, peer, before_stamps=False)",
                "send_back(at, peer, before_stamps=True)",
                "without stamps that follow, messages that wait for a broker on the way are copied, too",
            ),
            (
                "core_keeps_answers_from_past_a_nearer_broker",
                "at.recovery.answers.pop(broker, None)",
                "pass",
                "the answer of a broker counts though a nearer one is asked instead",
            ),
            (
                "core_applies_a_subscription_older_than_a_table",
                "return Row(source, predicates, via) not in rows",
                "return None",
                "a subscription that is older than a table is applied after it",
            ),
        )
    ),
)
