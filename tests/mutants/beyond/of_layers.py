"""Changes of the layers over Skip+, dissemination and the directory of topics: of their rules, and of what is right."""

from tests.mutants.change import Change

SPREADING, AGREEING = (f"spec/dissemination/{name}.py" for name in ("rules", "legitimacy"))
FINDING, FOUND = (f"spec/topic_directory/{name}.py" for name in ("rules", "legitimacy"))
BESIDE = "spec/neighbourhood.py"


def _change(name, path, before, after, breaks):
    layers = ("topic_directory",) if "topic_directory" in path else ("dissemination",)
    layers = ("dissemination", "topic_directory") if path == BESIDE else layers
    return Change(name, path, before, after, breaks, tuple(f"tests/spec/{layer}/test_rules.py" for layer in layers))


OF_DISSEMINATION = (
    _change(
        "shares_overlap",
        SPREADING,
        "yield node, (node, min(beyond, default=high))",
        "yield node, (node, high)",
        "a neighbour is given what the next one looks after, too",
    ),
    _change(
        "shares_below_overlap",
        SPREADING,
        "yield node, (max(beyond, default=low), node)",
        "yield node, (low, node)",
        "the same on the other side",
    ),
    _change(
        "shares_go_to_everybody",
        SPREADING,
        "there = [node for node in neighbours if node != me and is_between(node, interval)]",
        "there = [node for node in neighbours if node != me]",
        "neighbours outside of the interval are told",
    ),
    _change(
        "intervals_have_their_ends",
        SPREADING,
        "return (low is None or low < node) and (high is None or node < high)",
        "return (low is None or low <= node) and (high is None or node <= high)",
        "the ends of an interval belong to it",
    ),
    _change(
        "broadcasts_end_where_they_are_known",
        SPREADING,
        "if not is_valid(publication, parameters) or publication.key not in keys_of(taken.local):",
        "if not taken.delivered:",
        "a publication that was known goes no further",
    ),
    _change(
        "forgeries_are_passed_on",
        SPREADING,
        "if not is_valid(publication, parameters) or publication.key not in keys_of(taken.local):",
        "if False:",
        "what may not be stored is passed on",
    ),
    _change(
        "what_was_issued_is_not_handed_over",
        SPREADING,
        "return Outcome(taken.local, sends, taken.delivered)",
        "return Outcome(taken.local, sends)",
        "the application does not hear of what is broadcast",
    ),
    _change(
        "compared_with_everybody",
        SPREADING,
        "return Outcome(local, tuple(Send(node, told) for node in beside(me, local.neighbours)))",
        "return Outcome(local, tuple(Send(node, told) for node in local.neighbours))",
        "all neighbours are compared with in each period",
    ),
    _change(
        "false_hashes_are_not_repaired",
        SPREADING,
        "return replace(local, publications=right_set(local.publications, parameters), hashes=())",
        "return replace(local, publications=right_set(local.publications, parameters))",
        "a period leaves false hashes",
    ),
    _change(
        "forgeries_are_not_repaired",
        SPREADING,
        "return replace(local, publications=right_set(local.publications, parameters), hashes=())",
        "return replace(local, hashes=())",
        "a period leaves publications that are not genuine",
    ),
    _change(
        "false_hashes_are_not_told",
        SPREADING,
        "return false[label] if label in false else summary(keys_of(local), label, hash_of_children)",
        "return summary(keys_of(local), label, hash_of_children)",
        "a node answers as if its trie were right",
    ),
    _change(
        "everything_is_handed_over",
        SPREADING,
        "found = [each for each in local.publications if each.key.startswith(message.prefix)]",
        "found = list(local.publications)",
        "who asks for one prefix is given all",
    ),
    _change(
        "chunks_are_one_larger",
        SPREADING,
        "yield Publish(every[first : first + parameters.chunk])",
        "yield Publish(every[first : first + parameters.chunk + 1])",
        "a message carries one publication too many",
    ),
    _change(
        "all_that_is_kept_is_told",
        SPREADING,
        "kept = in_order(each for each in local.publications if each.publisher in behind)",
        "kept = in_order(local.publications)",
        "if something has expired, also what others have published is told",
    ),
    _change(
        "who_leaves_knows_its_neighbours",
        SPREADING,
        "return Outcome(BLANK if forget else replace(local, live=False, neighbours=()))",
        "return Outcome(BLANK if forget else replace(local, live=False))",
        "who unsubscribes still has neighbours",
    ),
    _change(
        "absent_nodes_publish",
        SPREADING,
        "if not local.live or not is_within_limit(command.payload, parameters):",
        "if not is_within_limit(command.payload, parameters):",
        "who does not take part publishes",
    ),
    _change(
        "one_may_be_ones_own_neighbour",
        SPREADING,
        "case Moved(neighbours) | Stayed(neighbours) if me not in neighbours:",
        "case Moved(neighbours) | Stayed(neighbours):",
        "the layer below may name the node itself",
    ),
    _change(
        "news_in_flight_are_harmless",
        AGREEING,
        'return (Fault("nothing_new_in_flight", target, expected, news, THEOREM),) if news else ()',
        "return ()",
        "what somebody lacks may be in flight",
    ),
    _change(
        "broadcasts_offer_nothing",
        AGREEING,
        "return (publication,)",
        "return ()",
        "a broadcast on its way counts as nothing new",
    ),
    _change(
        "absent_nodes_have_to_agree",
        AGREEING,
        "return local.publications if local.live else None",
        "return local.publications",
        "who takes no part may be the one that all are compared with",
    ),
    _change(
        "anybody_may_be_lacking_in_the_list",
        AGREEING,
        "live = {name: local.neighbours for name, local in states.items() if local.live}",
        "live = {name: local.neighbours for name, local in states.items()}",
        "who takes no part has to have neighbours",
    ),
    _change(
        "the_farthest_are_beside",
        BESIDE,
        "greater = min((node for node in others if node > me), default=None)",
        "greater = max((node for node in others if node > me), default=None)",
        "the greatest neighbour counts as the next one",
    ),
)

OF_THE_DIRECTORY = (
    _change(
        "responsible_is_the_next_one",
        FINDING,
        "return max((name for name in names if name <= key), default=min(names, default=None))",
        "return min((name for name in names if name >= key), default=min(names, default=None))",
        "the least name from the key on is responsible",
    ),
    _change(
        "ways_overstep",
        FINDING,
        "return max((node for node in neighbours if me < node <= key), default=None)",
        "return max((node for node in neighbours if me < node), default=None)",
        "a way up goes beyond the key",
    ),
    _change(
        "ways_from_above_end_too_soon",
        FINDING,
        "return min(above) if above else max((node for node in neighbours if node < me), default=None)",
        "return min(above) if above else None",
        "who is above a key counts as responsible, though there is a smaller one",
    ),
    _change(
        "the_last_word_counts",
        FINDING,
        "if contact <= known.get(topic, contact):",
        "if True:",
        "whoever is said last is the contact",
    ),
    _change(
        "the_greatest_is_the_contact",
        FINDING,
        "if contact <= known.get(topic, contact):",
        "if contact >= known.get(topic, contact):",
        "the greatest member is the contact",
    ),
    _change(
        "nobody_meets_the_contact",
        FINDING,
        "return Outcome(local, (Send(contact, Meet(topic, known[topic])),))",
        "return Outcome(local)",
        "who says itself hears nothing of the contact",
    ),
    _change(
        "who_is_responsible_meets_nobody",
        FINDING,
        "return Outcome(local, (), (Met(topic, known[topic]),) if topic in local.topics else ())",
        "return Outcome(local)",
        "who is responsible, and a member itself, does not meet the contact",
    ),
    _change(
        "contacts_are_not_doubted",
        FINDING,
        "return Outcome(local, (Send(contact, Ask(topic, me)),))",
        "return Outcome(local)",
        "a contact is never asked whether it takes part",
    ),
    _change(
        "entries_are_copied",
        FINDING,
        "return say(without(local, entry), me, topic, contact)",
        "return say(local, me, topic, contact)",
        "an entry that is handed on is kept, too",
    ),
    _change(
        "who_is_responsible_trusts_itself",
        FINDING,
        "return Outcome(local if topic in local.topics else without(local, entry))",
        "return Outcome(local)",
        "who takes part no more keeps itself for the contact",
    ),
    _change(
        "everybody_denies",
        FINDING,
        "return Outcome(local, () if takes_part(local, topic) else (Send(asker, Deny(topic, me)),))",
        "return Outcome(local, (Send(asker, Deny(topic, me)),))",
        "also who takes part denies it",
    ),
    _change(
        "the_absent_take_part",
        FINDING,
        "return local.live and topic in local.topics",
        "return topic in local.topics",
        "who does not belong to the directory takes part in a topic",
    ),
    _change(
        "one_meets_oneself",
        FINDING,
        "met = takes_part(local, topic) and contact != me",
        "met = takes_part(local, topic)",
        "the application is handed its own node for a contact",
    ),
    _change(
        "denials_are_not_believed",
        FINDING,
        "return Outcome(without(local, Entry(topic, node)))",
        "return Outcome(local)",
        "a contact that denies it stays the contact",
    ),
    _change(
        "nobody_says_anew",
        FINDING,
        "outcome = outcome.then(say, me, topic, me)",
        "del topic",
        "members are not said again in each period",
    ),
    _change(
        "retracting_all",
        FINDING,
        "return Outcome(replace(local, topics=tuple(each for each in local.topics if each != topic)))",
        "return Outcome(replace(local, topics=()))",
        "who leaves one topic leaves all",
    ),
    _change(
        "two_contacts_for_a_topic",
        FINDING,
        "others = (each for each in local.entries if each.topic != entry.topic)",
        "others = (each for each in local.entries if each != entry)",
        "a topic may have two contacts",
    ),
    _change(
        "announcing_replaces",
        FINDING,
        "return Outcome(replace(local, topics=tuple(sorted({*local.topics, topic}))))",
        "return Outcome(replace(local, topics=(topic,)))",
        "who takes part in one topic more leaves the others",
    ),
    _change(
        "the_directory_remembers_after_a_crash",
        FINDING,
        "return Outcome(BLANK)",
        "return Outcome(replace(local, live=False))",
        "who crashes keeps what it had",
    ),
    _change(
        "any_member_is_right",
        FOUND,
        "return dict(self.members).get(topic, (None,))[0]",
        "return dict(self.members).get(topic, (None,))[-1]",
        "the greatest member is the right contact on its way",
    ),
    _change(
        "any_entries_are_right",
        FOUND,
        'contacts = ("entries_are_right", right, held), ("contacts_are_heard", (), old)',
        'contacts = ("entries_are_right", (), ()), ("contacts_are_heard", (), old)',
        "whatever entries a node has are right",
    ),
    _change(
        "false_words_on_their_way_are_right",
        FOUND,
        "case Say(topic, contact) if contact not in dict(anchor.members).get(topic, ()):",
        "case Say(topic, contact) if contact not in anchor.live:",
        "anybody may be said who is there",
    ),
    _change(
        "denials_on_their_way_are_right",
        FOUND,
        "case Deny(topic, node) if node == anchor.contact(topic):",
        "case Deny(topic, node) if node not in anchor.live:",
        "the right contact may be denied",
    ),
    _change(
        "the_gone_may_be_neighbours",
        FOUND,
        "return list_faults(live, live.items()) + wrong",
        "return list_faults(live, live.items())",
        "the premise allows neighbours that are not there",
    ),
)

OF_LAYERS = OF_DISSEMINATION + OF_THE_DIRECTORY
