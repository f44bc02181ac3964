all {"implementation": "skip_plus", "parameters": {}}
base node {"live": true, "neighbours": [], "stable": [], "told": [], "gone": []}

a temporary neighbour is moved and not copied
  # Source: slide 22, rule 2
  node 0:01 {"neighbours": ["1:00", "2:10", "3:11"], "stable": ["1:00", "2:10"]}
    times out
      sends 1:00 Update {"sender": "0:01", "ranges": [[null, "2:10"], [null, null]], "inserts": ["0:01"]}
      sends 2:10 Update {"sender": "0:01", "ranges": [[null, "2:10"], [null, null]], "inserts": ["0:01", "3:11"]}
      sends 3:11 Update {"sender": "0:01", "ranges": [[null, "2:10"], [null, null]], "inserts": []}
      has {"neighbours": ["1:00", "2:10"]}

a timeout introduces all if other ones are stable now
  node 0:0 {"neighbours": ["1:0", "2:1"], "stable": ["1:0"], "told": [["1:0", [["0:0", "0:0"]]], ["2:1", [["0:0", "0:0"]]]]}
    times out
      sends 1:0 Update {"sender": "0:0", "ranges": [[null, "2:1"]], "inserts": ["0:0", "2:1"]}
      sends 2:1 Update {"sender": "0:0", "ranges": [[null, "2:1"]], "inserts": ["0:0", "1:0"]}
      has {"stable": ["1:0", "2:1"]}

every neighbour hears the ranges also a temporary one
  # Source: slide 20, "Send state updates to neighbors"
  node 0:0 {"neighbours": ["1:0", "2:1", "3:0"], "stable": ["1:0", "2:1"]}
    times out
      sends 1:0 Update {"sender": "0:0", "ranges": [[null, "2:1"]], "inserts": ["0:0", "3:0"]}
      sends 2:1 Update {"sender": "0:0", "ranges": [[null, "2:1"]], "inserts": ["0:0"]}
      sends 3:0 Update {"sender": "0:0", "ranges": [[null, "2:1"]], "inserts": []}
      has {"neighbours": ["1:0", "2:1"]}

a node that is gone and oneself are no neighbours at the timeout
  # Source: slide 20, "remove failed ones"
  node 0:0 {"neighbours": ["0:0", "1:0", "2:1"], "stable": ["1:0", "2:1"], "gone": ["1:0"]}
    times out
      sends 2:1 Update {"sender": "0:0", "ranges": [[null, null]], "inserts": ["0:0"]}
      has {"neighbours": ["2:1"], "stable": ["2:1"], "gone": []}

a timeout asks for the next one whether live or not
  node 0:0 {}
    times out
  node 0:0 {"live": false}
    times out

receiving only collects
  node 0:0 {"neighbours": ["1:0"]}
    takes Update {"sender": "2:1", "ranges": [["1:0", null]], "inserts": ["0:0", "3:1"]}
      has {"neighbours": ["0:0", "1:0", "3:1"], "told": [["2:1", [["1:0", null]]]]}
    takes Gone {"node": "4:1", "inserts": ["5:0"]}
      has {"neighbours": ["0:0", "1:0", "3:1", "5:0"], "gone": ["4:1"]}

what is told last counts
  node 0:0 {"neighbours": ["2:1"], "told": [["2:1", [[null, null]]]]}
    takes Update {"sender": "2:1", "ranges": [["0:0", "0:0"]], "inserts": []}
      has {"told": [["2:1", [["0:0", "0:0"]]]]}

a node that tells its ranges is no neighbour for that
  node 0:0 {}
    takes Update {"sender": "2:1", "ranges": [[null, null]], "inserts": []}
      has {"told": [["2:1", [[null, null]]]]}

a node that is not live gives an update back
  # Source: slide 20, "Check liveness of neighbors"
  node 0:0 {"live": false}
    takes Update {"sender": "1:1", "ranges": [[null, null]], "inserts": ["0:0", "2:1"]}
      sends 1:1 Gone {"node": "0:0", "inserts": ["0:0", "2:1"]}
    takes Gone {"node": "1:1", "inserts": ["2:1"]}

a node that joins knows its contact and no node else
  # Source: slide 33
  node 0:0 {"live": false}
    obeys Join {"contact": "1:1"}
      has {"live": true, "neighbours": ["1:1"]}

a node that joins again loses no node
  node 0:0 {"neighbours": ["1:1"], "stable": ["1:1"], "gone": ["3:0"]}
    obeys Join {"contact": "2:0"}
      has {"neighbours": ["1:1", "2:0"]}

a node that leaves tells each neighbour of the others and is as if it had never been
  # Source: slide 33
  node 0:0 {"neighbours": ["0:0", "1:1", "2:0", "3:0", "4:1"], "stable": ["1:1"], "gone": ["4:1"]}
    obeys Leave
      sends 1:1 Gone {"node": "0:0", "inserts": ["2:0", "3:0"]}
      sends 2:0 Gone {"node": "0:0", "inserts": ["1:1", "3:0"]}
      sends 3:0 Gone {"node": "0:0", "inserts": ["1:1", "2:0"]}
      has {"live": false, "neighbours": [], "stable": [], "gone": []}

a node that crashes says nothing
  node 0:0 {"neighbours": ["1:1"], "stable": ["1:1"], "told": [["1:1", [[null, null]]]], "gone": ["3:0"]}
    obeys Crash
      has {"live": false, "neighbours": [], "stable": [], "told": [], "gone": []}

a node that is not live neither leaves nor crashes
  node 0:0 {"live": false}
    obeys Leave
  node 0:0 {"live": false}
    obeys Crash

a contact that cannot be one is refused
  node 0:0 {"live": false}
    obeys Join {"contact": "0:0"}
      fails The node '0:0' cannot join through itself: give it another contact.
  node 0:0 {"live": false}
    obeys Join {"contact": "1:00"}
      fails The node '0:0' cannot join through '1:00': all strings of a system are equally long.

a message with strings of another length is refused
  node 0:0 {}
    takes Update {"sender": "1:01", "ranges": [[null, null], [null, null]], "inserts": ["2:01"]}
      refuses bad_message
  node 0:0 {"live": false}
    takes Update {"sender": "1:01", "ranges": [[null, null], [null, null]], "inserts": ["2:01"]}
      refuses bad_message
  node 0:0 {}
    takes Gone {"node": "1:01", "inserts": ["2:01"]}
      refuses bad_message
  node 0:0 {"live": false}
    takes Gone {"node": "1:01", "inserts": ["2:01"]}
      refuses bad_message
