all {"implementation": "topic_directory", "parameters": {}}
base node {"live": true, "neighbours": [], "topics": [], "entries": []}

the least that is said stays and any other one meets it
  node m {}
    takes Say {"topic": "news", "contact": "x"}
      has {"entries": [["news", "x"]]}
    takes Say {"topic": "news", "contact": "a"}
      has {"entries": [["news", "a"]]}
  node m {"entries": [["news", "x"]]}
    takes Say {"topic": "news", "contact": "z"}
      sends z Meet {"topic": "news", "contact": "x"}

a node that is not responsible passes on what is said and gives its entries away
  node m {"neighbours": ["b"], "entries": [["news", "x"]]}
    times out
      sends b Say {"topic": "news", "contact": "x"}
      has {"entries": []}

a contact is asked and forgotten when it denies
  node m {"entries": [["news", "x"]]}
    times out
      sends x Ask {"topic": "news", "asker": "m"}
  node x {}
    takes Ask {"topic": "news", "asker": "m"}
      sends m Deny {"topic": "news", "node": "x"}
  node m {"entries": [["news", "x"]]}
    takes Deny {"topic": "news", "node": "x"}
      has {"entries": []}
  node x {"live": false}
    takes Ask {"topic": "news", "asker": "m"}
      sends m Deny {"topic": "news", "node": "x"}

a denial that comes late forgets no other contact
  node m {"entries": [["news", "a"], ["sport", "x"]]}
    takes Deny {"topic": "news", "node": "x"}

the application hears of the contact of its own topics only
  node m {}
    obeys Announce {"topic": "news"}
      has {"topics": ["news"]}
    takes Meet {"topic": "news", "contact": "x"}
      delivers Met {"topic": "news", "contact": "x"}
    takes Meet {"topic": "news", "contact": "m"}
    obeys Retract {"topic": "news"}
      has {"topics": []}
    takes Meet {"topic": "news", "contact": "x"}

a node that is responsible hears of a smaller contact only if it takes part
  node m {"topics": ["news"], "entries": [["news", "a"]]}
    takes Say {"topic": "news", "contact": "m"}
      delivers Met {"topic": "news", "contact": "a"}
    obeys Retract {"topic": "news"}
      has {"topics": []}
    takes Say {"topic": "news", "contact": "m"}

a node that is responsible and takes part no more is its own contact no more
  node m {"entries": [["news", "m"]]}
    times out
      has {"entries": []}

a member says in each period that it takes part
  node m {"neighbours": ["b"], "topics": ["news"]}
    times out
      sends b Say {"topic": "news", "contact": "m"}
  node m {"topics": ["news"]}
    times out
      has {"entries": [["news", "m"]]}

a node that takes part denies nothing
  node m {"topics": ["news"]}
    takes Ask {"topic": "news", "asker": "a"}

a node that does not belong to the directory takes part in no topic
  node m {"live": false, "topics": ["news"]}
    takes Ask {"topic": "news", "asker": "a"}
      sends a Deny {"topic": "news", "node": "m"}
    takes Meet {"topic": "news", "contact": "a"}
    takes Say {"topic": "news", "contact": "a"}
    times out

what a command changes
  node m {"neighbours": ["a"], "topics": ["music", "news"], "entries": [["news", "a"]]}
    obeys Enter {}
    obeys Announce {"topic": "art"}
      has {"topics": ["art", "music", "news"]}
  node m {"neighbours": ["a"], "topics": ["music", "news"], "entries": [["news", "a"]]}
    obeys Retract {"topic": "news"}
      has {"topics": ["music"]}
  node m {"neighbours": ["a"], "topics": ["music", "news"], "entries": [["news", "a"]]}
    obeys Moved {"neighbours": ["b"]}
      has {"neighbours": ["b"]}
  node m {"neighbours": ["a"], "topics": ["music", "news"], "entries": [["news", "a"]]}
    obeys Stayed {"neighbours": []}
      has {"neighbours": []}
  node m {"neighbours": ["a"], "topics": ["music", "news"], "entries": [["news", "a"]]}
    obeys Crash {}
      has {"live": false, "neighbours": [], "topics": [], "entries": []}

a contact that is silent for too long is forgotten and one that is heard is not
  node m {"entries": [["news", "x"]]} with {"parameters": {"expires": 3}}
    times out
      sends x Ask {"topic": "news", "asker": "m"}
      has {"entries": [["news", "x", 1]]}
    times out
      sends x Ask {"topic": "news", "asker": "m"}
      has {"entries": [["news", "x", 2]]}
    times out
      has {"entries": []}
  node m {"entries": [["news", "x", 2]]} with {"parameters": {"expires": 3}}
    takes Say {"topic": "news", "contact": "x"}
      has {"entries": [["news", "x"]]}
  node m {"entries": [["news", "x", 2]]} with {"parameters": {"expires": 3}}
    takes Say {"topic": "news", "contact": "y"}
      sends y Meet {"topic": "news", "contact": "x"}
    takes Deny {"topic": "news", "node": "x"}
      has {"entries": []}

a node is never too silent for itself
  node m {"topics": ["news"], "entries": [["news", "m"]]} with {"parameters": {"expires": 3}}
    times out
