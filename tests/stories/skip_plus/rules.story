all {"implementation": "skip_plus", "parameters": {}}
base node {"live": true, "neighbours": [], "stable": [], "told": [], "gone": []}

receiving collects and does nothing else
  node 00:0 {}
    takes Update {"sender": "01:1", "ranges": [[null, null]], "inserts": ["00:0", "02:0"]}
      has {"neighbours": ["00:0", "02:0"], "told": [["01:1", [[null, null]]]]}

the later word of a neighbour replaces the earlier
  node 00:0 {"neighbours": ["01:1"], "told": [["01:1", [[null, null]]]]}
    takes Update {"sender": "01:1", "ranges": [[null, "00:0"]], "inserts": []}
      has {"told": [["01:1", [[null, "00:0"]]]]}

the timeout forgets the gone and oneself and keeps the stable
  node 00:0 {"neighbours": ["00:0", "01:0", "02:1", "03:0"], "stable": ["01:0"], "told": [["03:0", [[null, null]]]], "gone": ["02:1"]}
    times out
      sends 01:0 Update {"sender": "00:0", "ranges": [[null, null]], "inserts": ["00:0", "03:0"]}
      sends 03:0 Update {"sender": "00:0", "ranges": [[null, null]], "inserts": ["00:0"]}
      has {"neighbours": ["01:0", "03:0"], "stable": ["01:0", "03:0"], "gone": []}

what was told by any node that is moved is forgotten with it
  node 00:0 {"neighbours": ["01:0", "02:1", "03:0"], "stable": ["01:0", "02:1"], "told": [["02:1", [[null, null]]], ["03:0", [[null, null]]]]}
    times out
      sends 01:0 Update {"sender": "00:0", "ranges": [[null, "02:1"]], "inserts": ["00:0", "03:0"]}
      sends 02:1 Update {"sender": "00:0", "ranges": [[null, "02:1"]], "inserts": ["00:0", "03:0"]}
      sends 03:0 Update {"sender": "00:0", "ranges": [[null, "02:1"]], "inserts": ["02:1"]}
      has {"neighbours": ["01:0", "02:1"], "told": [["02:1", [[null, null]]]]}

a node that does not take part gives back what it was given
  node 00:0 {"live": false}
    takes Update {"sender": "01:1", "ranges": [[null, null]], "inserts": ["02:0"]}
      sends 01:1 Gone {"node": "00:0", "inserts": ["02:0"]}
    takes Gone {"node": "01:1", "inserts": ["02:0"]}
    times out

a node that is gone is remembered until the round ends
  node 00:0 {"neighbours": ["01:1"]}
    takes Gone {"node": "01:1", "inserts": ["02:0"]}
      has {"neighbours": ["01:1", "02:0"], "gone": ["01:1"]}
    times out
      sends 02:0 Update {"sender": "00:0", "ranges": [[null, null]], "inserts": ["00:0"]}
      has {"neighbours": ["02:0"], "stable": ["02:0"], "gone": []}

every node that is gone is remembered
  node 00:0 {"neighbours": ["01:1", "02:0"]}
    takes Gone {"node": "02:0", "inserts": []}
      has {"gone": ["02:0"]}
    takes Gone {"node": "01:1", "inserts": []}
      has {"gone": ["01:1", "02:0"]}

joining adds the contact
  node 00:0 {"live": false}
    obeys Join {"contact": "01:1"}
      has {"live": true, "neighbours": ["01:1"]}
  node 00:0 {"neighbours": ["02:0"]}
    obeys Join {"contact": "01:1"}
      has {"neighbours": ["01:1", "02:0"]}

leaving tells each neighbour of the others
  node 00:0 {"neighbours": ["01:1", "02:0", "03:1"], "gone": ["03:1"]}
    obeys Leave {}
      sends 01:1 Gone {"node": "00:0", "inserts": ["02:0"]}
      sends 02:0 Gone {"node": "00:0", "inserts": ["01:1"]}
      has {"live": false, "neighbours": [], "gone": []}

a crash says nothing
  node 00:0 {"neighbours": ["01:1"]}
    obeys Crash {}
      has {"live": false, "neighbours": []}
