all {"implementation": "chord", "parameters": {"bits": 6, "ids": "number"}}
base node {"status": "inside", "predecessor": "n5", "successors": ["n20", "n30"], "fingers": [], "next": 0, "contact": null, "peers": []}

what lies behind the predecessor up to oneself is ones own
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "06", "asker": "n33", "sender": "n44"}
      sends n33 RouteReply {"key": "06", "owner": "n10"}
    obeys Lookup {"key": "06"}
      delivers RouteReply {"key": "06", "owner": "n10"}
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "09", "asker": "n33", "sender": "n44"}
      sends n33 RouteReply {"key": "09", "owner": "n10"}
    obeys Lookup {"key": "09"}
      delivers RouteReply {"key": "09", "owner": "n10"}
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "0a", "asker": "n33", "sender": "n44"}
      sends n33 RouteReply {"key": "0a", "owner": "n10"}
    obeys Lookup {"key": "0a"}
      delivers RouteReply {"key": "0a", "owner": "n10"}

else the nearest that is known before the key is asked or the head
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "0b", "asker": "n33", "sender": "n44"}
      sends n20 RouteRequest {"key": "0b", "asker": "n33", "sender": "n10"}
    obeys Lookup {"key": "0b"}
      sends n20 RouteRequest {"key": "0b", "asker": "n10", "sender": "n10"}
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "14", "asker": "n33", "sender": "n44"}
      sends n20 RouteRequest {"key": "14", "asker": "n33", "sender": "n10"}
    obeys Lookup {"key": "14"}
      sends n20 RouteRequest {"key": "14", "asker": "n10", "sender": "n10"}
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "15", "asker": "n33", "sender": "n44"}
      sends n20 RouteRequest {"key": "15", "asker": "n33", "sender": "n10"}
    obeys Lookup {"key": "15"}
      sends n20 RouteRequest {"key": "15", "asker": "n10", "sender": "n10"}
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "1e", "asker": "n33", "sender": "n44"}
      sends n20 RouteRequest {"key": "1e", "asker": "n33", "sender": "n10"}
    obeys Lookup {"key": "1e"}
      sends n20 RouteRequest {"key": "1e", "asker": "n10", "sender": "n10"}
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "1f", "asker": "n33", "sender": "n44"}
      sends n30 RouteRequest {"key": "1f", "asker": "n33", "sender": "n10"}
    obeys Lookup {"key": "1f"}
      sends n30 RouteRequest {"key": "1f", "asker": "n10", "sender": "n10"}
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "32", "asker": "n33", "sender": "n44"}
      sends n30 RouteRequest {"key": "32", "asker": "n33", "sender": "n10"}
    obeys Lookup {"key": "32"}
      sends n30 RouteRequest {"key": "32", "asker": "n10", "sender": "n10"}
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "33", "asker": "n33", "sender": "n44"}
      sends n50 RouteRequest {"key": "33", "asker": "n33", "sender": "n10"}
    obeys Lookup {"key": "33"}
      sends n50 RouteRequest {"key": "33", "asker": "n10", "sender": "n10"}
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "00", "asker": "n33", "sender": "n44"}
      sends n50 RouteRequest {"key": "00", "asker": "n33", "sender": "n10"}
    obeys Lookup {"key": "00"}
      sends n50 RouteRequest {"key": "00", "asker": "n10", "sender": "n10"}
  node n10 {"fingers": [[4, "n30"], [5, "n50"]]}
    takes RouteRequest {"key": "05", "asker": "n33", "sender": "n44"}
      sends n50 RouteRequest {"key": "05", "asker": "n33", "sender": "n10"}
    obeys Lookup {"key": "05"}
      sends n50 RouteRequest {"key": "05", "asker": "n10", "sender": "n10"}

without a predecessor nothing is ones own not even ones id
  node n10 {"predecessor": null}
    obeys Lookup {"key": "09"}
      sends n30 RouteRequest {"key": "09", "asker": "n10", "sender": "n10"}
    obeys Lookup {"key": "0a"}
      sends n30 RouteRequest {"key": "0a", "asker": "n10", "sender": "n10"}

a node that is alone owns everything
  node n10 {"predecessor": null, "successors": []}
    obeys Lookup {"key": "00"}
      delivers RouteReply {"key": "00", "owner": "n10"}
  node n10 {"predecessor": null, "successors": []}
    obeys Lookup {"key": "0a"}
      delivers RouteReply {"key": "0a", "owner": "n10"}
  node n10 {"predecessor": null, "successors": []}
    obeys Lookup {"key": "3f"}
      delivers RouteReply {"key": "3f", "owner": "n10"}

a node that has only a predecessor asks that
  node n10 {"successors": []}
    obeys Lookup {"key": "0b"}
      sends n5 RouteRequest {"key": "0b", "asker": "n10", "sender": "n10"}

an answer is delivered
  node n10 {"predecessor": null, "successors": []}
    takes RouteReply {"key": "07", "owner": "n8"}
      delivers RouteReply {"key": "07", "owner": "n8"}
  node n10 {"status": "outside", "predecessor": null, "successors": []}
    takes RouteReply {"key": "07", "owner": "n8"}

the fingers that aim beyond the head are refreshed in turn
  node n10 {"successors": ["n12", "n20"], "next": 4}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n20 FixFingerRequest {"finger": 4, "asker": "n10", "sender": "n10"}
      has {"next": 5}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n20 FixFingerRequest {"finger": 5, "asker": "n10", "sender": "n10"}
      has {"next": 0}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n12 FixFingerRequest {"finger": 2, "asker": "n10", "sender": "n10"}
      has {"next": 3}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n12 FixFingerRequest {"finger": 3, "asker": "n10", "sender": "n10"}
      has {"next": 4}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n20 FixFingerRequest {"finger": 4, "asker": "n10", "sender": "n10"}
      has {"next": 5}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n20 FixFingerRequest {"finger": 5, "asker": "n10", "sender": "n10"}
      has {"next": 0}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n12 FixFingerRequest {"finger": 2, "asker": "n10", "sender": "n10"}
      has {"next": 3}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n12 FixFingerRequest {"finger": 3, "asker": "n10", "sender": "n10"}
      has {"next": 4}

a finger that aims at the head is not needed
  node n10 {"predecessor": null, "successors": ["n14"]}
    times out
      sends n14 StabilizeRequest {"sender": "n10"}
      sends n14 FixFingerRequest {"finger": 3, "asker": "n10", "sender": "n10"}
      has {"next": 4}
    times out
      sends n14 StabilizeRequest {"sender": "n10"}
      sends n14 FixFingerRequest {"finger": 4, "asker": "n10", "sender": "n10"}
      has {"next": 5}
    times out
      sends n14 StabilizeRequest {"sender": "n10"}
      sends n14 FixFingerRequest {"finger": 5, "asker": "n10", "sender": "n10"}
      has {"next": 0}
    times out
      sends n14 StabilizeRequest {"sender": "n10"}
      sends n14 FixFingerRequest {"finger": 3, "asker": "n10", "sender": "n10"}
      has {"next": 4}
    times out
      sends n14 StabilizeRequest {"sender": "n10"}
      sends n14 FixFingerRequest {"finger": 4, "asker": "n10", "sender": "n10"}
      has {"next": 5}
    times out
      sends n14 StabilizeRequest {"sender": "n10"}
      sends n14 FixFingerRequest {"finger": 5, "asker": "n10", "sender": "n10"}
      has {"next": 0}

a node that is alone needs no finger and none are needed where the head is half a turn away
  node n10 {"predecessor": null, "successors": []}
    times out
    times out
    times out
  node n10 {"predecessor": null, "successors": ["n42"]}
    times out
      sends n42 StabilizeRequest {"sender": "n10"}
    times out
      sends n42 StabilizeRequest {"sender": "n10"}
    times out
      sends n42 StabilizeRequest {"sender": "n10"}

without fingers none is refreshed or kept
  node n10 {"predecessor": null, "successors": ["n12"]} with {"parameters": {"bits": 6, "ids": "number", "fingers": false}}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
    takes FixFingerReply {"finger": 4, "owner": "n30"}

a refresh is passed on or answered by the owner
  node n10 {"predecessor": "n60", "successors": ["n20"]}
    takes FixFingerRequest {"finger": 5, "asker": "n44", "sender": "n44"}
      sends n20 FixFingerRequest {"finger": 5, "asker": "n44", "sender": "n10"}
    takes FixFingerRequest {"finger": 4, "asker": "n44", "sender": "n44"}
      sends n20 FixFingerRequest {"finger": 4, "asker": "n44", "sender": "n10"}
    takes FixFingerRequest {"finger": 4, "asker": "n50", "sender": "n44"}
      sends n50 FixFingerReply {"finger": 4, "owner": "n10"}

an answer replaces the finger
  node n10 {"successors": ["n12"], "fingers": [[3, "n20"], [5, "n50"]]}
    takes FixFingerReply {"finger": 4, "owner": "n30"}
      has {"fingers": [[3, "n20"], [4, "n30"], [5, "n50"]]}
    takes FixFingerReply {"finger": 3, "owner": "n22"}
      has {"fingers": [[3, "n22"], [4, "n30"], [5, "n50"]]}

the lowest finger that is needed is kept
  node n10 {"successors": ["n12"]}
    takes FixFingerReply {"finger": 1, "owner": "n12"}
    takes FixFingerReply {"finger": 2, "owner": "n20"}
      has {"fingers": [[2, "n20"]]}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n12 FixFingerRequest {"finger": 2, "asker": "n10", "sender": "n10"}
      has {"next": 3}

a finger that is oneself is not kept
  node n10 {"predecessor": "n40", "successors": ["n12"], "fingers": [[5, "n50"]], "next": 5}
    times out
      sends n12 StabilizeRequest {"sender": "n10"}
      sends n40 Ping {"sender": "n10"}
      has {"fingers": [], "next": 0}
  node n10 {"successors": ["n12"], "fingers": [[5, "n50"]]}
    takes FixFingerReply {"finger": 5, "owner": "n10"}
      has {"fingers": []}

a finger that is not needed is not kept
  node n10 {"successors": ["n20"], "fingers": [[2, "n20"], [5, "n50"]]}
    takes FixFingerReply {"finger": 2, "owner": "n30"}
    takes FixFingerReply {"finger": 3, "owner": "n30"}
    times out
      sends n20 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n20 FixFingerRequest {"finger": 4, "asker": "n10", "sender": "n10"}
      has {"fingers": [[5, "n50"]], "next": 5}

the next hop towards each key of the header is told when it changes
  node n10 {"successors": ["n20"]} with {"parameters": {"bits": 6, "ids": "number", "fingers": false, "keys": ["0b", "0a", "3f"]}}
    takes StabilizeReply {"sender": "n20", "predecessor": "n10", "successors": ["n30"]}
      sends n20 Notify {"sender": "n10"}
      delivers Neighbours {"predecessor": "n5", "successors": ["n20", "n30"]}
      delivers Route {"key": "3f", "next": "n30"}
      has {"successors": ["n20", "n30"]}
    takes StabilizeReply {"sender": "n20", "predecessor": "n10", "successors": ["n30"]}
      sends n20 Notify {"sender": "n10"}
    takes Dead {"node": "n5"}
      delivers Neighbours {"predecessor": null, "successors": ["n20", "n30"]}
      delivers Route {"key": "0a", "next": "n30"}
      has {"predecessor": null}
    obeys Crash
      delivers Neighbours {"predecessor": null, "successors": []}
      delivers Route {"key": "0b", "next": null}
      delivers Route {"key": "0a", "next": null}
      delivers Route {"key": "3f", "next": null}
      has {"status": "crashed", "successors": []}
