all {"implementation": "chord", "parameters": {"bits": 6, "ids": "number"}}
base node {"status": "outside", "predecessor": null, "successors": [], "fingers": [], "next": 0, "contact": null, "peers": []}

a node that wants in asks its contact in every timeout
  node n10 {}
    times out
    obeys Join {"contact": "n30"}
      has {"contact": "n30"}
    times out
      sends n30 JoinRequest {"joiner": "n10", "sender": "n10"}
    times out
      sends n30 JoinRequest {"joiner": "n10", "sender": "n10"}

a second join names another contact
  node n10 {"contact": "n30"}
    obeys Join {"contact": "n40"}
      has {"contact": "n40"}

a node that joins through itself begins a ring
  node n10 {"peers": ["n20"]}
    obeys Join {"contact": "n10"}
      has {"status": "inside"}

a contact with ones own id is refused
  node n10 {}
    obeys Join {"contact": "m10"}
      fails The node 'n10' cannot join through 'm10': both have one identifier.

a node that is inside or crashed does not join
  node n10 {"status": "inside", "predecessor": "n5"}
    obeys Join {"contact": "n30"}
  node n10 {"status": "crashed"}
    obeys Join {"contact": "n30"}

the member right before a joiner gives it its whole list
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n20", "n30", "n40"]}
    takes JoinRequest {"joiner": "n11", "sender": "n50"}
      sends n11 JoinReply {"sender": "n10", "successors": ["n20", "n30", "n40"]}
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n20", "n30", "n40"]}
    takes JoinRequest {"joiner": "n19", "sender": "n50"}
      sends n19 JoinReply {"sender": "n10", "successors": ["n20", "n30", "n40"]}

any other passes the joiner on
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n20", "n30", "n40"]}
    takes JoinRequest {"joiner": "n20", "sender": "n50"}
      sends n20 JoinRequest {"joiner": "n20", "sender": "n10"}
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n20", "n30", "n40"]}
    takes JoinRequest {"joiner": "n21", "sender": "n50"}
      sends n20 JoinRequest {"joiner": "n21", "sender": "n10"}
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n20", "n30", "n40"]}
    takes JoinRequest {"joiner": "n31", "sender": "n50"}
      sends n30 JoinRequest {"joiner": "n31", "sender": "n10"}
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n20", "n30", "n40"]}
    takes JoinRequest {"joiner": "n9", "sender": "n50"}
      sends n40 JoinRequest {"joiner": "n9", "sender": "n10"}

a node that is alone gives itself
  node n10 {"status": "inside"}
    takes JoinRequest {"joiner": "n5", "sender": "n5"}
      sends n5 JoinReply {"sender": "n10", "successors": ["n10"]}

no node is placed at an id that is taken
  node n10 {"status": "inside"}
    takes JoinRequest {"joiner": "n10", "sender": "n5"}
  node n10 {"status": "inside"}
    takes JoinRequest {"joiner": "m10", "sender": "n5"}

a node that is placed is inside
  node n10 {"contact": "n30", "peers": ["n7"]}
    takes JoinReply {"sender": "n5", "successors": ["n20", "n30", "n5"]}
      delivers Neighbours {"predecessor": "n5", "successors": ["n20", "n30", "n5"]}
      has {"status": "inside", "predecessor": "n5", "successors": ["n20", "n30", "n5"], "contact": null}

a node that is placed takes of the list what comes before itself
  node n10 {"contact": "n30"}
    takes JoinReply {"sender": "n5", "successors": ["n20", "n10", "n12"]}
      delivers Neighbours {"predecessor": "n5", "successors": ["n20"]}
      has {"status": "inside", "predecessor": "n5", "successors": ["n20"], "contact": null}

a second place or one that no node wants changes nothing
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n20"]}
    takes JoinReply {"sender": "n7", "successors": ["n30"]}
  node n10 {}
    takes JoinReply {"sender": "n7", "successors": ["n30"]}
  node n10 {"status": "crashed"}
    takes JoinReply {"sender": "n7", "successors": ["n30"]}

a place from ones own id changes nothing
  node n10 {"contact": "n30"}
    takes JoinReply {"sender": "m10", "successors": ["n30"]}

a node that asks a crashed node hears so and a node that is outside is silent
  node n10 {"status": "crashed"}
    takes StabilizeRequest {"sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {}
    takes StabilizeRequest {"sender": "n1"}
  node n10 {"contact": "n1"}
    takes StabilizeRequest {"sender": "n1"}
  node n10 {"status": "crashed"}
    takes Ping {"sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {}
    takes Ping {"sender": "n1"}
  node n10 {"contact": "n1"}
    takes Ping {"sender": "n1"}
  node n10 {"status": "crashed"}
    takes Notify {"sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {}
    takes Notify {"sender": "n1"}
  node n10 {"contact": "n1"}
    takes Notify {"sender": "n1"}
  node n10 {"status": "crashed"}
    takes RouteRequest {"key": "00", "asker": "n2", "sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {}
    takes RouteRequest {"key": "00", "asker": "n2", "sender": "n1"}
  node n10 {"contact": "n1"}
    takes RouteRequest {"key": "00", "asker": "n2", "sender": "n1"}
  node n10 {"status": "crashed"}
    takes FixFingerRequest {"finger": 1, "asker": "n2", "sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {}
    takes FixFingerRequest {"finger": 1, "asker": "n2", "sender": "n1"}
  node n10 {"contact": "n1"}
    takes FixFingerRequest {"finger": 1, "asker": "n2", "sender": "n1"}
  node n10 {"status": "crashed"}
    takes JoinRequest {"joiner": "n5", "sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {}
    takes JoinRequest {"joiner": "n5", "sender": "n1"}
  node n10 {"contact": "n1"}
    takes JoinRequest {"joiner": "n5", "sender": "n1"}

with meet a node that asks a node outside hears so
  node n10 {} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes StabilizeRequest {"sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"contact": "n1"} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes StabilizeRequest {"sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"status": "crashed"}
    takes StabilizeRequest {"sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes Ping {"sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"contact": "n1"} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes Ping {"sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"status": "crashed"}
    takes Ping {"sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes Notify {"sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"contact": "n1"} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes Notify {"sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"status": "crashed"}
    takes Notify {"sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes RouteRequest {"key": "00", "asker": "n2", "sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"contact": "n1"} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes RouteRequest {"key": "00", "asker": "n2", "sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"status": "crashed"}
    takes RouteRequest {"key": "00", "asker": "n2", "sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes FixFingerRequest {"finger": 1, "asker": "n2", "sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"contact": "n1"} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes FixFingerRequest {"finger": 1, "asker": "n2", "sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"status": "crashed"}
    takes FixFingerRequest {"finger": 1, "asker": "n2", "sender": "n1"}
      sends n1 Dead {"node": "n10"}
  node n10 {} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes JoinRequest {"joiner": "n5", "sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"contact": "n1"} with {"parameters": {"bits": 6, "ids": "number", "meet": true}}
    takes JoinRequest {"joiner": "n5", "sender": "n1"}
      sends n1 Outside {"node": "n10"}
  node n10 {"status": "crashed"}
    takes JoinRequest {"joiner": "n5", "sender": "n1"}
      sends n1 Dead {"node": "n10"}

a member forgets a node that is outside
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n20", "n30"]}
    takes Outside {"node": "n20"}
      delivers Neighbours {"predecessor": "n5", "successors": ["n30"]}
      has {"successors": ["n30"]}
    takes Outside {"node": "n5"}
      delivers Neighbours {"predecessor": null, "successors": ["n30"]}
      has {"predecessor": null}

nothing else reaches a node that is not inside
  node n10 {}
    takes StabilizeReply {"sender": "n1", "predecessor": null, "successors": []}
  node n10 {}
    takes RouteReply {"key": "00", "owner": "n1"}
  node n10 {}
    takes FixFingerReply {"finger": 1, "owner": "n1"}
  node n10 {}
    takes Dead {"node": "n1"}
  node n10 {}
    takes Outside {"node": "n1"}
  node n10 {"status": "crashed"}
    takes StabilizeReply {"sender": "n1", "predecessor": null, "successors": []}
  node n10 {"status": "crashed"}
    takes RouteReply {"key": "00", "owner": "n1"}
  node n10 {"status": "crashed"}
    takes FixFingerReply {"finger": 1, "owner": "n1"}
  node n10 {"status": "crashed"}
    takes Dead {"node": "n1"}
  node n10 {"status": "crashed"}
    takes Outside {"node": "n1"}

a contact that is gone is asked no more
  node n10 {"contact": "n30"}
    takes Dead {"node": "n30"}
      has {"contact": null}
  node n10 {"contact": "n30"}
    obeys Suspect {"node": "n30"}
      has {"contact": null}

a node that crashes forgets everything and sends nothing
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n20"], "fingers": [[5, "n50"]], "next": 3, "peers": ["n7"]}
    obeys Crash
      delivers Neighbours {"predecessor": null, "successors": []}
      has {"status": "crashed", "predecessor": null, "successors": [], "fingers": [], "next": 0, "peers": []}
    times out

a node that leaves crashes with notice to its neighbours
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n20", "n30"]}
    obeys Leave
      sends n5 Dead {"node": "n10"}
      sends n20 Dead {"node": "n10"}
      delivers Neighbours {"predecessor": null, "successors": []}
      has {"status": "crashed", "predecessor": null, "successors": []}
  node n10 {"status": "inside", "predecessor": "n5", "successors": ["n5"]}
    obeys Leave
      sends n5 Dead {"node": "n10"}
      delivers Neighbours {"predecessor": null, "successors": []}
      has {"status": "crashed", "predecessor": null, "successors": []}
  node n10 {"contact": "n5"}
    obeys Leave
      has {"status": "crashed", "contact": null}

no command wakes up a node that has crashed
  node n10 {"status": "crashed"}
    obeys Suspect {"node": "n1"}
  node n10 {"status": "crashed"}
    obeys Peers {"nodes": ["n1"]}
  node n10 {"status": "crashed"}
    obeys Lookup {"key": "00"}
  node n10 {"status": "crashed"}
    obeys Leave
  node n10 {"status": "crashed"}
    obeys Crash

a node that is outside looks nothing up and keeps its peers
  node n10 {}
    obeys Lookup {"key": "00"}
    obeys Peers {"nodes": ["n7"]}
      has {"peers": ["n7"]}

a place without another successor is that of a lone member
  # Source: Stoica et al. 2001, Section 4.4, join: a joiner always has a successor
  node n10 {"contact": "n5"}
    takes JoinReply {"sender": "n5", "successors": []}
      delivers Neighbours {"predecessor": "n5", "successors": ["n5"]}
      has {"status": "inside", "predecessor": "n5", "successors": ["n5"], "contact": null}
  node n10 {"contact": "n5"}
    takes JoinReply {"sender": "n5", "successors": ["n10"]}
      delivers Neighbours {"predecessor": "n5", "successors": ["n5"]}
      has {"status": "inside", "predecessor": "n5", "successors": ["n5"], "contact": null}
  node n10 {"contact": "n5"}
    takes JoinReply {"sender": "n5", "successors": ["n10", "n20"]}
      delivers Neighbours {"predecessor": "n5", "successors": ["n5"]}
      has {"status": "inside", "predecessor": "n5", "successors": ["n5"], "contact": null}
