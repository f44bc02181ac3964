all {"implementation": "dissemination", "parameters": {"key_bits": 32}}
base member {"live": true, "neighbours": ["a", "c", "d"]}

a timeout tells the nearest neighbour on either side the root
  member b {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
    times out
      sends a CheckTrie {"sender": "b", "tuples": [["11110000010000010001000000111000", "dadac85c5dfa1d3ddc2936ddae9f0652"]]}
      sends c CheckTrie {"sender": "b", "tuples": [["11110000010000010001000000111000", "dadac85c5dfa1d3ddc2936ddae9f0652"]]}

a timeout repairs what may be wrong at first
  member b {"publications": [["00011010010010111011001111010100", "a", 1, "", "b"], ["11110000010000010001000000111000", "b", 1, "", "b"]], "hashes": [["", "084fed08b978af4d7d196a7446a86b58"]]}
    times out
      sends a CheckTrie {"sender": "b", "tuples": [["11110000010000010001000000111000", "dadac85c5dfa1d3ddc2936ddae9f0652"]]}
      sends c CheckTrie {"sender": "b", "tuples": [["11110000010000010001000000111000", "dadac85c5dfa1d3ddc2936ddae9f0652"]]}
      has {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
      has no hashes

a node that lacks something asks for it and is given it
  member b {}
    takes CheckTrie {"sender": "a", "tuples": [["11110000010000010001000000111000", "dadac85c5dfa1d3ddc2936ddae9f0652"]]}
      sends a CheckAndPublish {"sender": "b", "tuples": [], "prefix": "11110000010000010001000000111000"}
  member a {"publications": [["01000111011111111101001101111001", "b", 2, "", "b"], ["11110000010000010001000000111000", "b", 1, "", "b"]]}
    takes CheckAndPublish {"sender": "b", "tuples": [], "prefix": "11110000010000010001000000111000"}
      sends b Publish {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
  member b {}
    takes Publish {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
      delivers ["11110000010000010001000000111000", "b", 1, "", "b"]
      has {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}

what is published goes to each neighbour with what is beyond it
  member b {}
    obeys Issue {"number": 1, "payload": ""}
      delivers ["11110000010000010001000000111000", "b", 1, "", "b"]
      sends c Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "b"], "low": "c", "high": "d"}
      sends d Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "b"], "low": "d", "high": null}
      sends a Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "b"], "low": null, "high": "a"}
      has {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}

a broadcast goes on within its interval also where the publication was known
  member b {}
    takes Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "b"], "low": "b", "high": "d"}
      delivers ["11110000010000010001000000111000", "b", 1, "", "b"]
      sends c Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "b"], "low": "c", "high": "d"}
      has {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
    takes Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "b"], "low": "b", "high": "d"}
      sends c Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "b"], "low": "c", "high": "d"}

what is not valid goes nowhere
  member b {}
    takes Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "a"], "low": null, "high": null}
      refuses forged

a forged broadcast is not passed on even if its key is held
  member b {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
    takes Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "a"], "low": null, "high": null}
      refuses forged

a forged publication and one that is held are not answered with what is kept
  member b {"publications": [["01000111011111111101001101111001", "b", 2, "", "b"]]} with {"parameters": {"key_bits": 32, "keep": 1}}
    takes Publish {"publications": [["11110000010000010001000000111000", "b", 1, "", "a"]]}
      refuses forged
    takes Publish {"publications": [["01000111011111111101001101111001", "b", 2, "", "a"]]}
      refuses forged
    takes Publish {"publications": [["01000111011111111101001101111001", "b", 2, "", "b"]]}

what has expired goes nowhere and is answered with what is kept
  member b {"publications": [["01000111011111111101001101111001", "b", 2, "", "b"]]} with {"parameters": {"key_bits": 32, "keep": 1}}
    takes Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "b"], "low": null, "high": null}
      refuses expired
    takes Publish {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
      refuses expired
      sends a Publish {"publications": [["01000111011111111101001101111001", "b", 2, "", "b"]]}
      sends c Publish {"publications": [["01000111011111111101001101111001", "b", 2, "", "b"]]}

what is asked in ones own name is not answered
  member b {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
    takes CheckTrie {"sender": "b", "tuples": [["01000111011111111101001101111001", "5eb68454e0be54a33af01c5434db3e98"]]}
    takes CheckAndPublish {"sender": "b", "tuples": [["01000111011111111101001101111001", "5eb68454e0be54a33af01c5434db3e98"]], "prefix": ""}

a node answers with the hashes that it has right or not
  member b {"publications": [["01000111011111111101001101111001", "b", 2, "", "b"], ["11110000010000010001000000111000", "b", 1, "", "b"]]}
    takes CheckTrie {"sender": "a", "tuples": [["", "55c59aec8807d3ca208ed6979fe265af"]]}
      held elsewhere ""
  member b {"publications": [["01000111011111111101001101111001", "b", 2, "", "b"], ["11110000010000010001000000111000", "b", 1, "", "b"]], "hashes": [["", "00000000000000000000000000000000"]]}
    takes CheckTrie {"sender": "a", "tuples": [["", "55c59aec8807d3ca208ed6979fe265af"]]}
      held elsewhere ""
      sends a CheckTrie {"sender": "b", "tuples": [["01000111011111111101001101111001", "5eb68454e0be54a33af01c5434db3e98"], ["11110000010000010001000000111000", "dadac85c5dfa1d3ddc2936ddae9f0652"]]}

what a command changes
  member b {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
    obeys Subscribe {}
    obeys Unsubscribe {}
      has {"live": false, "neighbours": []}
  member b {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
    obeys Unsubscribe {"forget": true}
      has {"live": false, "neighbours": []}
      has no publications
  member b {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
    obeys Crash {}
      has {"live": false, "neighbours": []}
      has no publications
  member b {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
    obeys Moved {"neighbours": ["x"]}
      has {"neighbours": ["x"]}
  member b {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
    obeys Stayed {"neighbours": []}
      has {"neighbours": []}

a node that does not take part takes no notice
  member b {"live": false, "neighbours": []}
    takes CheckTrie {"sender": "a", "tuples": []}
    takes Publish {"publications": [["11110000010000010001000000111000", "b", 1, "", "b"]]}
    takes Broadcast {"publication": ["11110000010000010001000000111000", "b", 1, "", "b"], "low": null, "high": null}
