from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.core.domain import sample
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import (
    Check,
    CheckAndPublish,
    CheckTrie,
    Claim,
    Command,
    Crash,
    Entry,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Message,
    Present,
    Probe,
    Publish,
    PublishNew,
    PublishRequest,
    RemoveConnections,
    Restart,
    Restore,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Suspect,
    Trust,
    Unsubscribe,
    WantIn,
    WantOut,
)
from gomboc.spec.protocols.skip_ring.wellformed import FIELDS
from gomboc.spec.publishing.publications import Publication
from tests.spec.protocols.skip_ring.starts import EXAMPLES

A, B = Claim("0", "a"), Claim("1", "b")
OF_SOMEBODY_ELSE = Publication("0", "gone", 0, "", "gone")
NAMED = (
    (Supervisor((Entry("0", "a"), Entry("1", None)), suspects=("b",)), {"a", "b"}),
    (Subscriber("0", left=A, right=B, ring=Claim("01", "c"), shortcuts=(Entry("11", "d"),)), {"a", "b", "c", "d"}),
    (Subscriber("0", shortcuts=(Entry("11", None),), publications=(OF_SOMEBODY_ELSE,)), set()),
    (SetData(A, "01", B), {"a", "b"}),
    (SetData(None, None, None), set()),
    (Check(A, "1", "LIN"), {"a"}),
    (Introduce(A, "LIN"), {"a"}),
    (Present(A, "LIN"), {"a"}),
    (Linearize(A), {"a"}),
    (IntroduceShortcut(A), {"a"}),
    (Probe("a", "CYC"), {"a"}),
    (Subscribe("a"), {"a"}),
    (Unsubscribe("a"), {"a"}),
    (GetConfiguration("a"), {"a"}),
    (RemoveConnections("a"), {"a"}),
    (CheckTrie("a", ()), {"a"}),
    (CheckAndPublish("a", (), "0"), {"a"}),
    (Publish((OF_SOMEBODY_ELSE,)), set()),
    (PublishNew("a", OF_SOMEBODY_ELSE), {"a"}),
    (WantIn(), set()),
    (WantOut(), set()),
    (PublishRequest(0, ""), set()),
    (Crash(), set()),
    (Restart(True), set()),
    (Suspect("a"), {"a"}),
    (Trust("a"), {"a"}),
    (Restore((Entry("0", "a"),)), {"a"}),
)


@pytest.mark.parametrize(("value", "nodes"), NAMED, ids=lambda value: type(value).__name__)
def test_every_node_to_whom_a_value_refers_is_named(value, nodes):
    assert set(FIELDS.named(value)) == nodes


def test_the_table_above_has_every_kind():
    kinds = {*Message.__args__, *Command.__args__, *PROTOCOL.vocabulary.roles.values()}
    assert {type(value) for value, _ in NAMED} == kinds


def test_every_text_but_a_payload_declares_its_meaning():
    kinds = (*Message.__args__, *Command.__args__, Claim, Entry, Supervisor, Subscriber)
    fields = {field.name for kind in kinds for field in msgspec.structs.fields(kind) if field.type in (str, str | None)}
    assert fields == {"payload"}


@given(st.integers(1, 6), st.integers(0, 10**6))
@EXAMPLES
def test_arbitrary_starts_name_only_a_node_that_is_there(nodes, seed):
    start = sample(PROTOCOL.starts.space(Size(nodes, messages=5)), Random(seed))
    values = [*(local for _, local in start.locals), *(message for _, message in start.in_flight)]
    assert {name for value in values for name in PROTOCOL.naming.named(value)} <= dict(start.roles).keys()
