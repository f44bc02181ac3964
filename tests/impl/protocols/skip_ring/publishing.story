all {"implementation": "skip_ring", "parameters": {"key_bits": 3}}
base subscriber {"label": "01", "left": null, "right": null, "ring": null, "shortcuts": [], "wants": true}
base supervisor {"database": [["0", null]], "next": 0}

what is heard of publications begins by forgetting oneself too
  subscriber u {"left": ["0", "u"], "shortcuts": [["1", "u"]]}
    takes CheckTrie {"sender": "v", "tuples": []}
      has {"left": null, "shortcuts": [["1", null]]}
  subscriber u {"left": ["0", "u"], "shortcuts": [["1", "u"]]}
    takes CheckAndPublish {"sender": "v", "tuples": [], "prefix": ""}
      has {"left": null, "shortcuts": [["1", null]]}
  subscriber u {"left": ["0", "u"], "shortcuts": [["1", "u"]]}
    takes Publish {"publications": []}
      has {"left": null, "shortcuts": [["1", null]]}
  subscriber u {"left": ["0", "u"], "shortcuts": [["1", "u"]]}
    takes PublishNew {"sender": "v", "publication": ["000", "a", 5, "p", "a"]}
      delivers ["000", "a", 5, "p", "a"]
      has {"left": null, "shortcuts": [["1", null]], "publications": [["000", "a", 5, "p", "a"]]}

a timeout tells the root to a neighbour on the ring
  subscriber u {"left": ["0", "l"], "publications": [["000", "a", 5, "p", "a"], ["011", "a", 3005, "p", "a"]]} drawing [0.999, 0.999]
    times out
      sends l CheckTrie {"sender": "u", "tuples": [["0", "9f5b9bb8d32347b88d45860c17601e7d"]]}
      sends l Present {"claim": ["01", "u"], "flag": "CYC"}
      sends l Check {"sender": ["01", "u"], "label": "0", "flag": "LIN"}
      tosses silent l

a neighbour that is stored twice is one and oneself is none
  subscriber u {"left": ["0", "u"], "right": ["1", "r"], "ring": ["11", "r"]} drawing [0.999, 0.999]
    times out
      sends r CheckTrie {"sender": "u", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends r Check {"sender": ["01", "u"], "label": "11", "flag": "CYC"}
      sends r Check {"sender": ["01", "u"], "label": "1", "flag": "LIN"}
      tosses silent r
      has {"left": null}

the neighbours are those before the step
  subscriber u {"right": ["0", "r"]} drawing [0.999, 0.999]
    times out
      sends r CheckTrie {"sender": "u", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends r Present {"claim": ["01", "u"], "flag": "CYC"}
      tosses silent r
      has {"left": ["0", "r"], "right": null}

shortcuts are not compared with
  subscriber u {"label": "0", "right": ["1", "r"], "shortcuts": [["01", "s"]]} drawing [0.999, 0.999]
    times out
      sends r CheckTrie {"sender": "u", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends r Present {"claim": ["0", "u"], "flag": "CYC"}
      sends r Check {"sender": ["0", "u"], "label": "1", "flag": "LIN"}
      sends s Linearize {"claim": ["1", "r"]}
      tosses silent r
      has {"right": ["01", "s"], "shortcuts": []}

without a neighbour the coin is that of the ring
  subscriber u {} drawing [0.999]
    times out
      tosses silent
  subscriber u {} drawing [0.0]
    times out
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "u"}

the empty trie is told too
  subscriber u {"right": ["1", "r"]} drawing [0.999, 0.999]
    times out
      sends r CheckTrie {"sender": "u", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends r Present {"claim": ["01", "u"], "flag": "CYC"}
      sends r Check {"sender": ["01", "u"], "label": "1", "flag": "LIN"}
      tosses silent r

an audit delivers nothing
  subscriber u {"right": ["1", "r"], "publications": [["000", "a", 1, "p", "a"], ["001", "a", 2, "p", "a"]]} drawing [0.999, 0.999]
    times out
      sends r CheckTrie {"sender": "u", "tuples": [["", "bc895e6307e821da81d1e184143ad8dc"]]}
      sends r Present {"claim": ["01", "u"], "flag": "CYC"}
      sends r Check {"sender": ["01", "u"], "label": "1", "flag": "LIN"}
      tosses silent r
      has {"publications": [["011", "a", 2, "p", "a"], ["110", "a", 1, "p", "a"]]}

equal tries need no answer
  subscriber u {}
    takes CheckTrie {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
  subscriber u {"publications": [["000", "a", 5, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"]]}
      held elsewhere "000"
  subscriber u {"publications": [["000", "a", 5, "p", "a"], ["011", "a", 3005, "p", "a"], ["100", "a", 4001, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["", "c7d3c121566ead63cc08962592faafd7"]]}
      held elsewhere ""

where an inner node differs both children are told in one message
  subscriber u {"publications": [["000", "a", 5, "p", "a"], ["011", "a", 3005, "p", "a"], ["100", "a", 4001, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["", "ffffffffffffffffffffffffffffffff"]]}
      sends v CheckTrie {"sender": "u", "tuples": [["0", "9f5b9bb8d32347b88d45860c17601e7d"], ["100", "c2f70888fb1a1dfead28c848bdaf7a31"]]}

a leaf that differs is a corrupted cache and not answered
  subscriber u {"publications": [["000", "a", 5, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["000", "ffffffffffffffffffffffffffffffff"]]}

what branches off above a node is asked for
  subscriber u {"publications": [["110", "a", 6010, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["", "ffffffffffffffffffffffffffffffff"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [["110", "b91efb550676b0cf63dcd27afb312dd0"]], "prefix": "0"}
  subscriber u {"publications": [["110", "a", 6010, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["1", "ffffffffffffffffffffffffffffffff"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [["110", "b91efb550676b0cf63dcd27afb312dd0"]], "prefix": "10"}
  subscriber u {"publications": [["110", "a", 6010, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["11", "ffffffffffffffffffffffffffffffff"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [["110", "b91efb550676b0cf63dcd27afb312dd0"]], "prefix": "111"}

the shortest label below is told with it
  subscriber u {"publications": [["000", "a", 5, "p", "a"], ["010", "a", 2033, "p", "a"], ["011", "a", 3005, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["", "ffffffffffffffffffffffffffffffff"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [["0", "8fae2663d0510d6e2a8e4a9a9d3afcb2"]], "prefix": "1"}

all beneath a label is asked for where there is nothing
  subscriber u {}
    takes CheckTrie {"sender": "v", "tuples": [["10", "ffffffffffffffffffffffffffffffff"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [], "prefix": "10"}
  subscriber u {"publications": [["000", "a", 5, "p", "a"], ["011", "a", 3005, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["10", "ffffffffffffffffffffffffffffffff"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [], "prefix": "10"}

the empty trie asks for everything and is given everything
  subscriber u {}
    takes CheckTrie {"sender": "v", "tuples": [["", "0312b758651af930695c0585e847ea54"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [], "prefix": ""}
  subscriber u {"publications": [["000", "a", 5, "p", "a"], ["100", "a", 4001, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends v CheckTrie {"sender": "u", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"], ["100", "c2f70888fb1a1dfead28c848bdaf7a31"]]}
  subscriber u {"publications": [["000", "a", 5, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"]], "prefix": "1"}

another hash of the empty trie is answered
  subscriber u {}
    takes CheckTrie {"sender": "v", "tuples": [["", "ffffffffffffffffffffffffffffffff"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [], "prefix": ""}

each tuple is answered by itself
  subscriber u {"publications": [["000", "a", 5, "p", "a"], ["011", "a", 3005, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["0", "ffffffffffffffffffffffffffffffff"], ["1", "ffffffffffffffffffffffffffffffff"]]}
      sends v CheckTrie {"sender": "u", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"], ["011", "6f8d21f3b0bd1b47e7064b88a79f9428"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [], "prefix": "1"}

where nothing begins with the prefix nothing is published
  subscriber u {"publications": [["000", "a", 5, "p", "a"]]}
    takes CheckAndPublish {"sender": "v", "tuples": [], "prefix": "1"}

a request to publish is a comparison too
  subscriber u {"publications": [["000", "a", 5, "p", "a"], ["011", "a", 3005, "p", "a"], ["100", "a", 4001, "p", "a"]]}
    takes CheckAndPublish {"sender": "v", "tuples": [["0", "ffffffffffffffffffffffffffffffff"]], "prefix": "1"}
      sends v CheckTrie {"sender": "u", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"], ["011", "6f8d21f3b0bd1b47e7064b88a79f9428"]]}
      sends v Publish {"publications": [["100", "a", 4001, "p", "a"]]}

what a node asks of itself is ignored
  subscriber u {"label": null, "publications": [["000", "a", 5, "p", "a"]]}
    takes CheckTrie {"sender": "u", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
  subscriber u {"label": null, "publications": [["000", "a", 5, "p", "a"]]}
    takes CheckAndPublish {"sender": "u", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]], "prefix": ""}
  subscriber u {"publications": [["000", "a", 5, "p", "a"]]}
    takes CheckTrie {"sender": "u", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
  subscriber u {"publications": [["000", "a", 5, "p", "a"]]}
    takes CheckAndPublish {"sender": "u", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]], "prefix": ""}

a node without a label asks to be left
  subscriber u {"label": null, "publications": [["000", "a", 5, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends v RemoveConnections {"node": "u"}
  subscriber u {"label": null, "publications": [["000", "a", 5, "p", "a"]]}
    takes CheckAndPublish {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]], "prefix": ""}
      sends v RemoveConnections {"node": "u"}

a leaver still answers
  subscriber u {"wants": false, "publications": [["000", "a", 5, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"]], "prefix": "1"}
  subscriber u {"publications": [["000", "a", 5, "p", "a"]]}
    takes CheckTrie {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends v CheckAndPublish {"sender": "u", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"]], "prefix": "1"}
  subscriber u {"wants": false, "publications": [["000", "a", 5, "p", "a"]]}
    takes CheckAndPublish {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]], "prefix": ""}
      sends v CheckAndPublish {"sender": "u", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"]], "prefix": "1"}
      sends v Publish {"publications": [["000", "a", 5, "p", "a"]]}
  subscriber u {"publications": [["000", "a", 5, "p", "a"]]}
    takes CheckAndPublish {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]], "prefix": ""}
      sends v CheckAndPublish {"sender": "u", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"]], "prefix": "1"}
      sends v Publish {"publications": [["000", "a", 5, "p", "a"]]}

a key that is stored is not replaced
  subscriber u {"publications": [["000", "a", 5, "p", "a"]]}
    takes Publish {"publications": [["000", "b", 20, "p", "b"]]}

one that is refused does not keep out the others
  subscriber u {}
    takes Publish {"publications": [["110", "a", 1, "p", "b"], ["000", "a", 5, "p", "a"], ["111", "a", 1, "p", "a"]]}
      refuses forged
      refuses key_mismatch
      delivers ["000", "a", 5, "p", "a"]
      has {"publications": [["000", "a", 5, "p", "a"]]}

a node that does not want to belong takes nothing
  subscriber u {"left": ["0", "l"], "wants": false}
    takes Publish {"publications": [["000", "a", 5, "p", "a"]]}
  subscriber u {"left": ["0", "l"], "wants": false}
    takes PublishNew {"sender": "v", "publication": ["000", "a", 5, "p", "a"]}

something new is flooded over ring and shortcuts but not back
  subscriber u {"label": "0", "left": ["0", "l"], "right": ["1", "r"], "ring": ["11", "v"], "shortcuts": [["01", "s"], ["11", "r"], ["111", null]]}
    takes PublishNew {"sender": "v", "publication": ["000", "a", 5, "p", "a"]}
      delivers ["000", "a", 5, "p", "a"]
      sends l PublishNew {"sender": "u", "publication": ["000", "a", 5, "p", "a"]}
      sends r PublishNew {"sender": "u", "publication": ["000", "a", 5, "p", "a"]}
      sends s PublishNew {"sender": "u", "publication": ["000", "a", 5, "p", "a"]}
      has {"publications": [["000", "a", 5, "p", "a"]]}

what is there is not flooded again
  subscriber u {"left": ["0", "l"], "publications": [["000", "a", 5, "p", "a"]]}
    takes PublishNew {"sender": "v", "publication": ["000", "a", 5, "p", "a"]}
  subscriber u {"label": null, "left": ["0", "l"], "publications": [["000", "a", 5, "p", "a"]]}
    takes PublishNew {"sender": "v", "publication": ["000", "a", 5, "p", "a"]}

a publication of ones own is stored delivered and flooded
  subscriber u {"left": ["0", "l"], "right": ["1", "u"], "shortcuts": [["1", "s"]]}
    obeys Publish {"number": 5, "payload": "p"}
      delivers ["000", "u", 5, "p", "u"]
      sends l PublishNew {"sender": "u", "publication": ["000", "u", 5, "p", "u"]}
      sends s PublishNew {"sender": "u", "publication": ["000", "u", 5, "p", "u"]}
      has {"publications": [["000", "u", 5, "p", "u"]]}

a payload that is too large is not published
  subscriber u {"left": ["0", "l"]} with {"parameters": {"key_bits": 3, "payload_limit": 8}}
    obeys Publish {"number": 5, "payload": "123456789"}
      refuses too_large

what is kept no longer is not published
  subscriber u {"left": ["0", "l"], "publications": [["000", "u", 7, "p", "u"]]} with {"parameters": {"key_bits": 3, "keep": 1}}
    obeys Publish {"number": 0, "payload": "p"}
      refuses expired

publishing has no effect for a node that left or has printed it
  subscriber u {"left": ["0", "l"], "wants": false, "publications": [["000", "u", 6, "p", "u"]]}
    obeys Publish {"number": 5, "payload": "p"}
  subscriber u {"left": ["0", "l"], "publications": [["000", "u", 6, "p", "u"]]}
    obeys Publish {"number": 6, "payload": "p"}

without a label a publication waits for neighbours
  subscriber u {"label": null}
    obeys Publish {"number": 5, "payload": "p"}
      delivers ["000", "u", 5, "p", "u"]
      has {"publications": [["000", "u", 5, "p", "u"]]}

a later publication lets an earlier one expire
  subscriber u {"publications": [["110", "a", 1, "p", "a"]]} with {"parameters": {"key_bits": 3, "keep": 1}} drawing [0.999]
    times out
      tosses silent
    takes Publish {"publications": [["011", "a", 2, "p", "a"]]}
      delivers ["011", "a", 2, "p", "a"]
      has {"publications": [["011", "a", 2, "p", "a"]]}

the ring alone consumes what is about publications
  subscriber u {"left": ["0", "u"]} with {"parameters": {}}
    takes CheckTrie {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
  subscriber u {"left": ["0", "u"]} with {"parameters": {}}
    takes CheckAndPublish {"sender": "v", "tuples": [], "prefix": ""}
  subscriber u {"left": ["0", "u"]} with {"parameters": {}}
    takes Publish {"publications": [["000", "a", 5, "p", "a"]]}
  subscriber u {"left": ["0", "u"]} with {"parameters": {}}
    takes PublishNew {"sender": "v", "publication": ["000", "a", 5, "p", "a"]}
  subscriber u {"label": null, "left": ["0", "u"]} with {"parameters": {}}
    takes CheckTrie {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
  subscriber u {"label": null, "left": ["0", "u"]} with {"parameters": {}}
    takes CheckAndPublish {"sender": "v", "tuples": [], "prefix": ""}
  subscriber u {"label": null, "left": ["0", "u"]} with {"parameters": {}}
    takes Publish {"publications": [["000", "a", 5, "p", "a"]]}
  subscriber u {"label": null, "left": ["0", "u"]} with {"parameters": {}}
    takes PublishNew {"sender": "v", "publication": ["000", "a", 5, "p", "a"]}

the ring alone publishes nothing
  subscriber u {"left": ["0", "l"]} with {"parameters": {}}
    obeys Publish {"number": 5, "payload": "p"}

the supervisor consumes what is about publications
  supervisor supervisor {} with {"parameters": {}}
    takes CheckTrie {"sender": "v", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
