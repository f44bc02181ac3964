all {"implementation": "chord", "parameters": {"bits": 4, "ids": "number", "r": 2}}
base node {"status": "inside", "predecessor": null, "successors": [], "fingers": [], "next": 0, "contact": null, "peers": []}

a timeout asks the head and pings the predecessor
  node n4 {"predecessor": "n0", "successors": ["n8", "n12"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    times out
      sends n8 StabilizeRequest {"sender": "n4"}
      sends n0 Ping {"sender": "n4"}

a node that has no successors asks its predecessor
  node n4 {"predecessor": "n8"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    times out
      sends n8 StabilizeRequest {"sender": "n4"}
      sends n8 Ping {"sender": "n4"}

a node that is alone asks no node
  node n4 {} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    times out

a timeout looks one finger up and the next time the next one
  node n0 {"predecessor": "n12", "successors": ["n1", "n4"]}
    times out
      sends n1 StabilizeRequest {"sender": "n0"}
      sends n12 Ping {"sender": "n0"}
      sends n1 FixFingerRequest {"finger": 1, "asker": "n0", "sender": "n0"}
      has {"next": 2}
    times out
      sends n1 StabilizeRequest {"sender": "n0"}
      sends n12 Ping {"sender": "n0"}
      sends n1 FixFingerRequest {"finger": 2, "asker": "n0", "sender": "n0"}
      has {"next": 3}
    times out
      sends n1 StabilizeRequest {"sender": "n0"}
      sends n12 Ping {"sender": "n0"}
      sends n4 FixFingerRequest {"finger": 3, "asker": "n0", "sender": "n0"}
      has {"next": 0}

no finger is looked up whose place the head owns
  node n0 {"predecessor": "n12", "successors": ["n4", "n8"], "fingers": [[1, "n8"], [3, "n8"]]}
    times out
      sends n4 StabilizeRequest {"sender": "n0"}
      sends n12 Ping {"sender": "n0"}
      sends n4 FixFingerRequest {"finger": 3, "asker": "n0", "sender": "n0"}
      has {"fingers": [[3, "n8"]]}

a finger whose place is ones own is none
  node n0 {"predecessor": "n1", "successors": ["n1"], "fingers": [[2, "n1"]], "next": 2}
    times out
      sends n1 StabilizeRequest {"sender": "n0"}
      sends n1 Ping {"sender": "n0"}
      has {"fingers": [], "next": 3}

with meet a coin says whether the head is asked or a peer that would be nearer
  node n4 {"predecessor": "n0", "successors": ["n8"], "peers": ["n12", "n5", "n7", "n8"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}} drawing [0.6, 0.6, 0.0]
    times out
      sends n7 StabilizeRequest {"sender": "n4"}
      sends n0 Ping {"sender": "n4"}
      tosses peer n7
    times out
      sends n8 StabilizeRequest {"sender": "n4"}
      sends n0 Ping {"sender": "n4"}
      tosses head

a node that is asked tells its state and remembers nothing
  node n4 {"predecessor": "n0", "successors": ["n8", "n12"]}
    takes StabilizeRequest {"sender": "n0"}
      sends n0 StabilizeReply {"sender": "n4", "predecessor": "n0", "successors": ["n8", "n12"]}

the answer of the head gives its list and is followed by a notice
  node n0 {"successors": ["n4", "n8"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes StabilizeReply {"sender": "n4", "predecessor": "n0", "successors": ["n9", "n12"]}
      sends n4 Notify {"sender": "n0"}
      delivers Neighbours {"predecessor": null, "successors": ["n4", "n9"]}
      has {"successors": ["n4", "n9"]}

the answer of a node that lies before the head makes it the head
  node n0 {"successors": ["n4", "n8"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes StabilizeReply {"sender": "n2", "predecessor": null, "successors": ["n4", "n8"]}
      sends n2 Notify {"sender": "n0"}
      delivers Neighbours {"predecessor": null, "successors": ["n2", "n4"]}
      has {"successors": ["n2", "n4"]}

any other answer comes too late
  node n0 {"successors": ["n4", "n8"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes StabilizeReply {"sender": "n8", "predecessor": "n4", "successors": ["n0"]}

a nearer predecessor of the head is asked and not adopted
  node n0 {"successors": ["n4"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes StabilizeReply {"sender": "n4", "predecessor": "n2", "successors": ["n8"]}
      sends n2 StabilizeRequest {"sender": "n0"}
      delivers Neighbours {"predecessor": null, "successors": ["n4", "n8"]}
      has {"successors": ["n4", "n8"]}

a list ends before oneself
  node n8 {"predecessor": "n4", "successors": ["n0"]}
    takes StabilizeReply {"sender": "n0", "predecessor": "n8", "successors": ["n8", "n4"]}
      sends n0 Notify {"sender": "n8"}

ones own answer is of no use
  node n8 {"predecessor": "n4"}
    takes StabilizeReply {"sender": "n8", "predecessor": "n4", "successors": ["n0"]}

a node that notifies is adopted if there is no predecessor or it is nearer
  node n4 {"successors": ["n8"]}
    takes Notify {"sender": "n2"}
      delivers Neighbours {"predecessor": "n2", "successors": ["n8"]}
      has {"predecessor": "n2"}
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    takes Notify {"sender": "n2"}
      delivers Neighbours {"predecessor": "n2", "successors": ["n8"]}
      has {"predecessor": "n2"}
  node n4 {"predecessor": "n3", "successors": ["n8"]}
    takes Notify {"sender": "n2"}
  node n4 {"predecessor": "n2", "successors": ["n8"]}
    takes Notify {"sender": "n2"}

a notice of oneself is none
  node n4 {"successors": ["n8"]}
    takes Notify {"sender": "n4"}

pings and late places change nothing
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    takes Ping {"sender": "n0"}
    takes JoinReply {"sender": "n0", "successors": ["n8"]}

a node that is gone is dropped wherever it is listed
  node n4 {"predecessor": "n8", "successors": ["n8", "n12"], "fingers": [[2, "n8"], [3, "n12"]]}
    takes Dead {"node": "n8"}
      delivers Neighbours {"predecessor": null, "successors": ["n12"]}
      has {"predecessor": null, "successors": ["n12"], "fingers": [[3, "n12"]]}
  node n4 {"predecessor": "n8", "successors": ["n8", "n12"], "fingers": [[2, "n8"], [3, "n12"]]}
    takes Dead {"node": "n12"}
      delivers Neighbours {"predecessor": "n8", "successors": ["n8"]}
      has {"successors": ["n8"], "fingers": [[2, "n8"]]}
  node n4 {"predecessor": "n8", "successors": ["n8", "n12"], "fingers": [[2, "n8"], [3, "n12"]]}
    takes Dead {"node": "n1"}
    takes Dead {"node": "n4"}
    obeys Suspect {"node": "n8"}
      delivers Neighbours {"predecessor": null, "successors": ["n12"]}
      has {"predecessor": null, "successors": ["n12"], "fingers": [[3, "n12"]]}
  node n4 {"predecessor": "n8", "successors": ["n8", "n12"], "fingers": [[2, "n8"], [3, "n12"]]}
    obeys Suspect {"node": "n12"}
      delivers Neighbours {"predecessor": "n8", "successors": ["n8"]}
      has {"successors": ["n8"], "fingers": [[2, "n8"]]}
  node n4 {"predecessor": "n8", "successors": ["n8", "n12"], "fingers": [[2, "n8"], [3, "n12"]]}
    obeys Suspect {"node": "n1"}
    obeys Suspect {"node": "n4"}

the mailbox of the crashed answers any node that has sent a question
  node n4 {"status": "crashed"}
    takes StabilizeRequest {"sender": "n0"}
      sends n0 Dead {"node": "n4"}
    takes Ping {"sender": "n0"}
      sends n0 Dead {"node": "n4"}
    takes Notify {"sender": "n0"}
      sends n0 Dead {"node": "n4"}
    takes JoinRequest {"joiner": "n2", "sender": "n0"}
      sends n0 Dead {"node": "n4"}
    takes RouteRequest {"key": "7", "asker": "n2", "sender": "n0"}
      sends n0 Dead {"node": "n4"}
    takes FixFingerRequest {"finger": 3, "asker": "n2", "sender": "n0"}
      sends n0 Dead {"node": "n4"}

the mailbox of the crashed answers nothing else
  node n4 {"status": "crashed"}
    takes StabilizeReply {"sender": "n0", "predecessor": null, "successors": []}
    takes JoinReply {"sender": "n0", "successors": ["n8"]}
    takes RouteReply {"key": "7", "owner": "n8"}
    takes FixFingerReply {"finger": 3, "owner": "n8"}
    takes Dead {"node": "n0"}

a node that crashes or leaves knows no node
  node n4 {"status": "outside"}
    obeys Crash {}
      has {"status": "crashed"}
  node n4 {"status": "outside"}
    obeys Leave {}
      has {"status": "crashed"}
  node n4 {"status": "outside", "contact": "n0"}
    obeys Crash {}
      has {"status": "crashed", "contact": null}
  node n4 {"status": "outside", "contact": "n0"}
    obeys Leave {}
      has {"status": "crashed", "contact": null}
  node n4 {"predecessor": "n0", "successors": ["n8"], "fingers": [[3, "n12"]], "next": 2}
    obeys Crash {}
      delivers Neighbours {"predecessor": null, "successors": []}
      has {"status": "crashed", "predecessor": null, "successors": [], "fingers": [], "next": 0}
  node n4 {"predecessor": "n0", "successors": ["n8"], "fingers": [[3, "n12"]], "next": 2}
    obeys Leave {}
      sends n0 Dead {"node": "n4"}
      sends n8 Dead {"node": "n4"}
      delivers Neighbours {"predecessor": null, "successors": []}
      has {"status": "crashed", "predecessor": null, "successors": [], "fingers": [], "next": 0}
    obeys Crash {}
    obeys Leave {}

a node that leaves tells its predecessor and its head once
  node n4 {"predecessor": "n0", "successors": ["n8", "n12"]}
    obeys Leave {}
      sends n0 Dead {"node": "n4"}
      sends n8 Dead {"node": "n4"}
      delivers Neighbours {"predecessor": null, "successors": []}
      has {"status": "crashed", "predecessor": null, "successors": []}
  node n4 {"predecessor": "n8", "successors": ["n8"]}
    obeys Leave {}
      sends n8 Dead {"node": "n4"}
      delivers Neighbours {"predecessor": null, "successors": []}
      has {"status": "crashed", "predecessor": null, "successors": []}
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    obeys Crash {}
      delivers Neighbours {"predecessor": null, "successors": []}
      has {"status": "crashed", "predecessor": null, "successors": []}

a node that is told to join asks its contact in every timeout
  node n4 {"status": "outside"}
    obeys Join {"contact": "n0"}
      has {"contact": "n0"}
    times out
      sends n0 JoinRequest {"joiner": "n4", "sender": "n4"}

only a node that is outside can join
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    obeys Join {"contact": "n0"}
  node n4 {"status": "crashed"}
    obeys Join {"contact": "n0"}

a node that joins through itself begins a ring
  node n4 {"status": "outside", "contact": "n0", "peers": ["n1"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "keys": ["9"]}}
    obeys Join {"contact": "n4"}
      delivers Route {"key": "9", "next": "n4"}
      has {"status": "inside", "contact": null}
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    obeys Join {"contact": "n4"}
  node n4 {"status": "crashed"}
    obeys Join {"contact": "n4"}

a node that lies before the head is given the whole list
  node n0 {"predecessor": "n12", "successors": ["n4", "n8"]}
    takes JoinRequest {"joiner": "n2", "sender": "n12"}
      sends n2 JoinReply {"sender": "n0", "successors": ["n4", "n8"]}

a lone member gives itself
  node n0 {}
    takes JoinRequest {"joiner": "n2", "sender": "n2"}
      sends n2 JoinReply {"sender": "n0", "successors": ["n0"]}

whose place is elsewhere is sent on as near as possible
  node n0 {"predecessor": "n12", "successors": ["n4", "n6"], "fingers": [[3, "n8"]]}
    takes JoinRequest {"joiner": "n10", "sender": "n12"}
      sends n8 JoinRequest {"joiner": "n10", "sender": "n0"}
    takes JoinRequest {"joiner": "n8", "sender": "n12"}
      sends n6 JoinRequest {"joiner": "n8", "sender": "n0"}

a node that is the head already hears of its own question
  node n0 {"predecessor": "n12", "successors": ["n4", "n6"]}
    takes JoinRequest {"joiner": "n4", "sender": "n4"}
      sends n4 JoinRequest {"joiner": "n4", "sender": "n0"}
  node n4 {"predecessor": "n0", "successors": ["n6"]}
    takes JoinRequest {"joiner": "n4", "sender": "n0"}

a place makes a member
  node n2 {"status": "outside", "contact": "n12", "peers": ["n9"]}
    takes JoinReply {"sender": "n0", "successors": ["n4", "n8"]}
      delivers Neighbours {"predecessor": "n0", "successors": ["n4", "n8"]}
      has {"status": "inside", "predecessor": "n0", "successors": ["n4", "n8"], "contact": null}

a place is cut before oneself and never empty
  node n2 {"status": "outside", "contact": "n0"}
    takes JoinReply {"sender": "n0", "successors": ["n4", "n2"]}
      delivers Neighbours {"predecessor": "n0", "successors": ["n4"]}
      has {"status": "inside", "predecessor": "n0", "successors": ["n4"], "contact": null}
  node n2 {"status": "outside", "contact": "n0"}
    takes JoinReply {"sender": "n0", "successors": ["n2", "n4"]}
      delivers Neighbours {"predecessor": "n0", "successors": ["n0"]}
      has {"status": "inside", "predecessor": "n0", "successors": ["n0"], "contact": null}

a node that is outside and does not want in hears nothing
  node n4 {"status": "outside"}
    takes JoinReply {"sender": "n0", "successors": ["n8"]}
    takes StabilizeRequest {"sender": "n0"}
    takes JoinRequest {"joiner": "n2", "sender": "n0"}
    takes Notify {"sender": "n0"}
    takes Dead {"node": "n0"}

a node that wants in through a node that is gone gives up
  node n4 {"status": "outside", "contact": "n0"}
    takes Dead {"node": "n0"}
      has {"contact": null}
  node n4 {"status": "outside", "contact": "n0"}
    takes Dead {"node": "n1"}

the owner of a key answers the asker
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    takes RouteRequest {"key": "3", "asker": "n12", "sender": "n0"}
      sends n12 RouteReply {"key": "3", "owner": "n4"}
    takes RouteRequest {"key": "4", "asker": "n12", "sender": "n0"}
      sends n12 RouteReply {"key": "4", "owner": "n4"}

a lookup goes to the nearest before the key or to the head
  node n0 {"predecessor": "n12", "successors": ["n4", "n6"], "fingers": [[3, "n9"]]}
    takes RouteRequest {"key": "b", "asker": "n12", "sender": "n12"}
      sends n9 RouteRequest {"key": "b", "asker": "n12", "sender": "n0"}
    takes RouteRequest {"key": "9", "asker": "n12", "sender": "n12"}
      sends n6 RouteRequest {"key": "9", "asker": "n12", "sender": "n0"}
    takes RouteRequest {"key": "3", "asker": "n12", "sender": "n12"}
      sends n4 RouteRequest {"key": "3", "asker": "n12", "sender": "n0"}

without a predecessor a node owns nothing unless it is alone
  node n4 {"successors": ["n8"]}
    takes RouteRequest {"key": "4", "asker": "n8", "sender": "n0"}
      sends n8 RouteRequest {"key": "4", "asker": "n8", "sender": "n4"}
  node n4 {}
    takes RouteRequest {"key": "9", "asker": "n8", "sender": "n0"}
      sends n8 RouteReply {"key": "9", "owner": "n4"}

without successors a lookup goes to the predecessor
  node n4 {"predecessor": "n8"}
    takes RouteRequest {"key": "7", "asker": "n0", "sender": "n0"}
      sends n8 RouteRequest {"key": "7", "asker": "n0", "sender": "n4"}
    takes RouteRequest {"key": "9", "asker": "n0", "sender": "n0"}
      sends n0 RouteReply {"key": "9", "owner": "n4"}

an application is told a node that owns its key
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    obeys Lookup {"key": "7"}
      sends n8 RouteRequest {"key": "7", "asker": "n4", "sender": "n4"}
    obeys Lookup {"key": "4"}
      delivers RouteReply {"key": "4", "owner": "n4"}
    takes RouteReply {"key": "7", "owner": "n8"}
      delivers RouteReply {"key": "7", "owner": "n8"}
  node n4 {"status": "outside"}
    obeys Lookup {"key": "7"}

ones own lookup that comes back is answered at once
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    takes RouteRequest {"key": "4", "asker": "n4", "sender": "n0"}
      delivers RouteReply {"key": "4", "owner": "n4"}

the owner of a fingers place answers and others send it on
  node n12 {"predecessor": "n8", "successors": ["n0"]}
    takes FixFingerRequest {"finger": 3, "asker": "n2", "sender": "n8"}
      sends n2 FixFingerReply {"finger": 3, "owner": "n12"}
  node n8 {"predecessor": "n4", "successors": ["n12"]}
    takes FixFingerRequest {"finger": 3, "asker": "n4", "sender": "n4"}
      sends n12 FixFingerRequest {"finger": 3, "asker": "n4", "sender": "n8"}

a finger is pointed to the owner of its place
  node n0 {"predecessor": "n12", "successors": ["n1"], "fingers": [[1, "n4"], [3, "n12"]]}
    takes FixFingerReply {"finger": 3, "owner": "n9"}
      has {"fingers": [[1, "n4"], [3, "n9"]]}
  node n0 {"predecessor": "n12", "successors": ["n1"], "fingers": [[1, "n4"], [3, "n12"]]}
    takes FixFingerReply {"finger": 2, "owner": "n4"}
      has {"fingers": [[1, "n4"], [2, "n4"], [3, "n12"]]}
  node n0 {"predecessor": "n12", "successors": ["n1"], "fingers": [[1, "n4"], [3, "n12"]]}
    takes FixFingerReply {"finger": 3, "owner": "n0"}
      has {"fingers": [[1, "n4"]]}
  node n0 {"predecessor": "n12", "successors": ["n1"], "fingers": [[1, "n4"], [3, "n12"]]}
    takes FixFingerReply {"finger": 0, "owner": "n4"}
  node n0 {"predecessor": "n12", "successors": ["n1"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes FixFingerReply {"finger": 3, "owner": "n9"}

neighbours are told above when they change and only then
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    takes Notify {"sender": "n2"}
      delivers Neighbours {"predecessor": "n2", "successors": ["n8"]}
      has {"predecessor": "n2"}
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    takes Dead {"node": "n8"}
      delivers Neighbours {"predecessor": "n0", "successors": []}
      has {"successors": []}
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    obeys Crash {}
      delivers Neighbours {"predecessor": null, "successors": []}
      has {"status": "crashed", "predecessor": null, "successors": []}
  node n4 {"predecessor": "n0", "successors": ["n8"]}
    takes Notify {"sender": "n0"}
  node n4 {"status": "outside"}
    obeys Crash {}
      has {"status": "crashed"}

the next hop to a key is told above when it changes
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "keys": ["9", "3"]}}
    takes JoinReply {"sender": "n0", "successors": ["n8"]}
      delivers Neighbours {"predecessor": "n0", "successors": ["n8"]}
      delivers Route {"key": "9", "next": "n8"}
      delivers Route {"key": "3", "next": "n8"}
      has {"status": "inside", "predecessor": "n0", "successors": ["n8"], "contact": null}
  node n8 {"predecessor": "n2", "successors": ["n12"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "keys": ["9", "3"]}}
    takes Dead {"node": "n12"}
      delivers Neighbours {"predecessor": "n2", "successors": []}
      delivers Route {"key": "9", "next": "n2"}
      has {"successors": []}
  node n8 {"predecessor": "n2", "successors": ["n12"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "keys": ["9", "3"]}}
    obeys Crash {}
      delivers Neighbours {"predecessor": null, "successors": []}
      delivers Route {"key": "9", "next": null}
      delivers Route {"key": "3", "next": null}
      has {"status": "crashed", "predecessor": null, "successors": []}
  node n4 {"successors": ["n8"]} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "keys": ["9", "3"]}}
    takes Notify {"sender": "n2"}
      delivers Neighbours {"predecessor": "n2", "successors": ["n8"]}
      delivers Route {"key": "3", "next": "n4"}
      has {"predecessor": "n2"}

peers are what the membership named last but oneself
  node n4 {"predecessor": "n0", "successors": ["n8"], "peers": ["n1"]}
    obeys Peers {"nodes": ["n12", "n4", "n8"]}
      has {"peers": ["n12", "n8"]}
  node n4 {"status": "outside"}
    obeys Peers {"nodes": ["n12", "n4", "n8"]}
      has {"peers": ["n12", "n8"]}
  node n4 {"status": "crashed"}
    obeys Peers {"nodes": ["n12", "n4", "n8"]}

with meet a node outside that is asked says so
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes StabilizeRequest {"sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes StabilizeRequest {"sender": "n4"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes StabilizeRequest {"sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes StabilizeRequest {"sender": "n4"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes Ping {"sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes Ping {"sender": "n4"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes Ping {"sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes Ping {"sender": "n4"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes Notify {"sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes Notify {"sender": "n4"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes Notify {"sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes Notify {"sender": "n4"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes JoinRequest {"joiner": "n9", "sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes JoinRequest {"joiner": "n9", "sender": "n4"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes JoinRequest {"joiner": "n9", "sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes JoinRequest {"joiner": "n9", "sender": "n4"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes RouteRequest {"key": "5", "asker": "n9", "sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes RouteRequest {"key": "5", "asker": "n9", "sender": "n4"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes RouteRequest {"key": "5", "asker": "n9", "sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes RouteRequest {"key": "5", "asker": "n9", "sender": "n4"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes FixFingerRequest {"finger": 3, "asker": "n9", "sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes FixFingerRequest {"finger": 3, "asker": "n9", "sender": "n4"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes FixFingerRequest {"finger": 3, "asker": "n9", "sender": "n4"}
      sends n4 Outside {"node": "n2"}
  node n2 {"status": "outside", "contact": "n0"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "fingers": false}}
    takes FixFingerRequest {"finger": 3, "asker": "n9", "sender": "n4"}

with meet a node outside that is not asked says nothing
  node n2 {"status": "outside"} with {"parameters": {"bits": 4, "ids": "number", "r": 2, "meet": true, "fingers": false}}
    takes StabilizeReply {"sender": "n4", "predecessor": null, "successors": []}
    takes RouteReply {"key": "5", "owner": "n4"}
    takes FixFingerReply {"finger": 3, "owner": "n4"}
    takes Dead {"node": "n4"}
    takes Outside {"node": "n4"}
