"""The nodes that a message names, by the types of its fields."""

import pytest

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.names import nodes_named

MESSAGES = [
    ("skip_ring", b'{"kind":"SetData","pred":["0","a"],"label":"1","succ":null}', ["a"]),
    ("skip_ring", b'{"kind":"Publish","publications":[["01","p",1,"text","s"]]}', ["p"]),
    ("skip_plus", b'{"kind":"Gone","node":"a:1","inserts":["b:0","c:1"]}', ["a:1", "b:0", "c:1"]),
    ("chord", b'{"kind":"StabilizeReply","sender":"a","predecessor":null,"successors":["b","c"]}', ["a", "b", "c"]),
    ("topic_directory", b'{"kind":"Say","topic":"news","contact":"a"}', ["a"]),
    ("hyparview", b'{"kind":"Request","sender":"a","ids":[["news","b",1]]}', ["a", "b"]),
    (
        "delta_fault_tolerance",
        b'{"kind":"Forward","sender":"a","stream":[0,1],"id":["a.b",0,1],"content":{"kind":"Unsubscription",'
        b'"source":"a.c","filter":[["x","=",1]]},"visited":[["a.d",null]],"guide":["a.e"]}',
        ["a", "a.b", "a.c", "a.d", "a.e"],
    ),
]


@pytest.mark.parametrize(("name", "written", "nodes"), MESSAGES)
def test_a_message_names_its_nodes_and_no_topic_label_or_attribute(name, written, nodes):
    assert [*nodes_named(implementation(name).decode(written))] == nodes
