all {"implementation": "chord", "parameters": {"bits": 6, "ids": "number"}}
base node {"status": "inside", "predecessor": null, "successors": [], "fingers": [], "next": 0, "contact": null, "peers": []}

the head is asked and the predecessor pinged
  node n10 {"predecessor": "n5", "successors": ["n20", "n30"]} with {"parameters": {"bits": 6, "ids": "number", "fingers": false}}
    times out
      sends n20 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}

the next timeout is due in a period
  node n10 {}
    times out

a node that is alone asks no node and with a predecessor that
  node n10 {} with {"parameters": {"bits": 6, "ids": "number", "fingers": false}}
    times out
  node n10 {"predecessor": "n5"} with {"parameters": {"bits": 6, "ids": "number", "fingers": false}}
    times out
      sends n5 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}

a question is answered with ones state
  node n10 {"predecessor": "n5", "successors": ["n20", "n30"]}
    takes StabilizeRequest {"sender": "n7"}
      sends n7 StabilizeReply {"sender": "n10", "predecessor": "n5", "successors": ["n20", "n30"]}

a ping is harmless
  node n10 {"predecessor": "n5"}
    takes Ping {"sender": "n7"}

the heads list is taken over and it is notified
  node n10 {"successors": ["n20", "n30"]}
    takes StabilizeReply {"sender": "n20", "predecessor": "n10", "successors": ["n31", "n40", "n50"]}
      sends n20 Notify {"sender": "n10"}
      delivers Neighbours {"predecessor": null, "successors": ["n20", "n31", "n40"]}
      has {"successors": ["n20", "n31", "n40"]}

a head whose predecessor is not nearer is notified
  node n10 {"successors": ["n20"]}
    takes StabilizeReply {"sender": "n20", "predecessor": null, "successors": []}
      sends n20 Notify {"sender": "n10"}
  node n10 {"successors": ["n20"]}
    takes StabilizeReply {"sender": "n20", "predecessor": "n10", "successors": []}
      sends n20 Notify {"sender": "n10"}
  node n10 {"successors": ["n20"]}
    takes StabilizeReply {"sender": "n20", "predecessor": "n9", "successors": []}
      sends n20 Notify {"sender": "n10"}
  node n10 {"successors": ["n20"]}
    takes StabilizeReply {"sender": "n20", "predecessor": "n25", "successors": []}
      sends n20 Notify {"sender": "n10"}

a nearer node is asked and not adopted
  node n10 {"successors": ["n20"]}
    takes StabilizeReply {"sender": "n20", "predecessor": "n15", "successors": ["n30"]}
      sends n15 StabilizeRequest {"sender": "n10"}
      delivers Neighbours {"predecessor": null, "successors": ["n20", "n30"]}
      has {"successors": ["n20", "n30"]}

a nearer node is adopted once it has answered
  node n10 {"successors": ["n20", "n30"]}
    takes StabilizeReply {"sender": "n15", "predecessor": "n10", "successors": ["n20", "n30"]}
      sends n15 Notify {"sender": "n10"}
      delivers Neighbours {"predecessor": null, "successors": ["n15", "n20", "n30"]}
      has {"successors": ["n15", "n20", "n30"]}

an answer from any node else changes nothing
  node n10 {"successors": ["n20", "n30"]}
    takes StabilizeReply {"sender": "n30", "predecessor": null, "successors": ["n40"]}
  node n10 {"successors": ["n20", "n30"]}
    takes StabilizeReply {"sender": "n5", "predecessor": null, "successors": ["n40"]}
  node n10 {"successors": ["n20", "n30"]}
    takes StabilizeReply {"sender": "n10", "predecessor": null, "successors": ["n40"]}

a node that has no successor uses an answer from any node
  node n10 {"predecessor": "n5"}
    takes StabilizeReply {"sender": "n5", "predecessor": null, "successors": ["n7", "n10"]}
      sends n5 Notify {"sender": "n10"}
      delivers Neighbours {"predecessor": "n5", "successors": ["n5", "n7"]}
      has {"successors": ["n5", "n7"]}

a list ends at oneself
  node n10 {"successors": ["n20"]}
    takes StabilizeReply {"sender": "n20", "predecessor": "n10", "successors": ["n30", "n10", "n12"]}
      sends n20 Notify {"sender": "n10"}
      delivers Neighbours {"predecessor": null, "successors": ["n20", "n30"]}
      has {"successors": ["n20", "n30"]}
  node n10 {"successors": ["n20"]}
    takes StabilizeReply {"sender": "n20", "predecessor": "n10", "successors": ["n10"]}
      sends n20 Notify {"sender": "n10"}
  node n10 {"successors": ["n20"]}
    takes StabilizeReply {"sender": "n20", "predecessor": "n10", "successors": ["n40", "n30"]}
      sends n20 Notify {"sender": "n10"}
      delivers Neighbours {"predecessor": null, "successors": ["n20", "n40", "n30"]}
      has {"successors": ["n20", "n40", "n30"]}
  node n10 {"successors": ["n20"]}
    takes StabilizeReply {"sender": "n20", "predecessor": "n10", "successors": ["n2", "n9", "n12"]}
      sends n20 Notify {"sender": "n10"}
      delivers Neighbours {"predecessor": null, "successors": ["n20", "n2", "n9"]}
      has {"successors": ["n20", "n2", "n9"]}

a notifier is adopted if it is nearer or the first
  node n10 {}
    takes Notify {"sender": "n50"}
      delivers Neighbours {"predecessor": "n50", "successors": []}
      has {"predecessor": "n50"}
  node n10 {"predecessor": "n50"}
    takes Notify {"sender": "n60"}
      delivers Neighbours {"predecessor": "n60", "successors": []}
      has {"predecessor": "n60"}
  node n10 {"predecessor": "n50"}
    takes Notify {"sender": "n3"}
      delivers Neighbours {"predecessor": "n3", "successors": []}
      has {"predecessor": "n3"}
  node n10 {"predecessor": "n50"}
    takes Notify {"sender": "n50"}
  node n10 {"predecessor": "n50"}
    takes Notify {"sender": "n40"}
  node n10 {"predecessor": "n3"}
    takes Notify {"sender": "n60"}
  node n10 {}
    takes Notify {"sender": "n10"}

a node that is gone is dropped wherever it stands but among the peers
  node n10 {"predecessor": "n30", "successors": ["n20", "n30", "n40"], "fingers": [[4, "n30"], [5, "n50"]], "peers": ["n30"]}
    takes Dead {"node": "n30"}
      delivers Neighbours {"predecessor": null, "successors": ["n20", "n40"]}
      has {"predecessor": null, "successors": ["n20", "n40"], "fingers": [[5, "n50"]]}
  node n10 {"predecessor": "n30", "successors": ["n20", "n30", "n40"], "fingers": [[4, "n30"], [5, "n50"]], "peers": ["n30"]}
    obeys Suspect {"node": "n30"}
      delivers Neighbours {"predecessor": null, "successors": ["n20", "n40"]}
      has {"predecessor": null, "successors": ["n20", "n40"], "fingers": [[5, "n50"]]}

a ring that was told of is delivered once it changes and not before
  node n10 {"successors": ["n20"]}
    takes StabilizeReply {"sender": "n20", "predecessor": null, "successors": ["n30"]}
      sends n20 Notify {"sender": "n10"}
      delivers Neighbours {"predecessor": null, "successors": ["n20", "n30"]}
      has {"successors": ["n20", "n30"]}
    takes StabilizeReply {"sender": "n20", "predecessor": null, "successors": ["n30"]}
      sends n20 Notify {"sender": "n10"}
    takes Notify {"sender": "n5"}
      delivers Neighbours {"predecessor": "n5", "successors": ["n20", "n30"]}
      has {"predecessor": "n5"}
    times out
      sends n20 StabilizeRequest {"sender": "n10"}
      sends n5 Ping {"sender": "n10"}
      sends n20 FixFingerRequest {"finger": 4, "asker": "n10", "sender": "n10"}
      has {"next": 5}

without meet no peer is asked
  node n10 {"peers": ["n20"]} with {"parameters": {"bits": 6, "ids": "number", "fingers": false}}
    times out

the membership names peers and oneself is none
  node n10 {} with {"parameters": {"bits": 6, "ids": "number", "fingers": false, "meet": true}}
    obeys Peers {"nodes": ["n10", "n20"]}
      has {"peers": ["n20"]}
