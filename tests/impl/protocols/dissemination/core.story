all {"implementation": "dissemination", "parameters": {"key_bits": 16, "payload_limit": 4}}
base member {"live": true, "neighbours": []}

a payload that is too large is refused and a node that does not take part publishes nothing
  member m {}
    obeys Issue {"number": 1, "payload": "12345"}
      refuses too_large
  member m {"live": false}
    obeys Issue {"number": 1, "payload": "1"}

what is not valid is refused by name and goes no further
  member m {}
    obeys Issue {"number": 0, "payload": "x"}
      delivers ["0101110001100101", "m", 0, "x", "m"]
      has {"publications": [["0101110001100101", "m", 0, "x", "m"]]}
  member b {"neighbours": ["a", "z"]}
    takes Broadcast {"publication": ["0000000000000000", "m", 0, "x", "m"], "low": null, "high": null}
      refuses key_mismatch
  member b {"neighbours": ["a", "z"]}
    takes Broadcast {"publication": ["0101110001100101", "m", 0, "x", "else"], "low": null, "high": null}
      refuses forged

a forged broadcast is not passed on even if its key is held
  member b {"neighbours": ["a", "z"]}
    obeys Issue {"number": 2, "payload": "x"}
      delivers ["1100000110110001", "b", 2, "x", "b"]
      sends z Broadcast {"publication": ["1100000110110001", "b", 2, "x", "b"], "low": "z", "high": null}
      sends a Broadcast {"publication": ["1100000110110001", "b", 2, "x", "b"], "low": null, "high": "a"}
      has {"publications": [["1100000110110001", "b", 2, "x", "b"]]}
    takes Broadcast {"publication": ["1100000110110001", "b", 2, "x", "b"], "low": null, "high": null}
      sends z Broadcast {"publication": ["1100000110110001", "b", 2, "x", "b"], "low": "z", "high": null}
      sends a Broadcast {"publication": ["1100000110110001", "b", 2, "x", "b"], "low": null, "high": "a"}
    takes Broadcast {"publication": ["1100000110110001", "b", 2, "x", "else"], "low": null, "high": null}
      refuses forged
  member b {}
    obeys Issue {"number": 2, "payload": "x"}
      delivers ["1100000110110001", "b", 2, "x", "b"]
      has {"publications": [["1100000110110001", "b", 2, "x", "b"]]}

what has expired is answered to both sides with what is kept and what is forged is not
  member b {"neighbours": ["a", "z"]} with {"parameters": {"key_bits": 16, "keep": 1}}
    obeys Issue {"number": 2, "payload": "x"}
      delivers ["1100000110110001", "b", 2, "x", "b"]
      sends z Broadcast {"publication": ["1100000110110001", "b", 2, "x", "b"], "low": "z", "high": null}
      sends a Broadcast {"publication": ["1100000110110001", "b", 2, "x", "b"], "low": null, "high": "a"}
      has {"publications": [["1100000110110001", "b", 2, "x", "b"]]}
    takes Publish {"publications": [["0111010101111001", "b", 1, "x", "b"]]}
      refuses expired
      sends a Publish {"publications": [["1100000110110001", "b", 2, "x", "b"]]}
      sends z Publish {"publications": [["1100000110110001", "b", 2, "x", "b"]]}
    takes Publish {"publications": [["0111010101111001", "b", 1, "x", "else"]]}
      refuses forged
    takes Publish {"publications": [["1100000110110001", "b", 2, "x", "b"]]}
  member b {}
    obeys Issue {"number": 1, "payload": "x"}
      delivers ["0111010101111001", "b", 1, "x", "b"]
      has {"publications": [["0111010101111001", "b", 1, "x", "b"]]}
  member b {}
    obeys Issue {"number": 2, "payload": "x"}
      delivers ["1100000110110001", "b", 2, "x", "b"]
      has {"publications": [["1100000110110001", "b", 2, "x", "b"]]}

a node that has unsubscribed keeps what it holds unless it forgets
  member m {}
    obeys Issue {"number": 1, "payload": "x"}
      delivers ["1101001011110110", "m", 1, "x", "m"]
      has {"publications": [["1101001011110110", "m", 1, "x", "m"]]}
    obeys Unsubscribe
      has {"live": false}
    obeys Subscribe
      has {"live": true}
    obeys Unsubscribe {"forget": true}
      has {"live": false}
      has no publications

without parameters keys have 32 bits
  member m {}
    obeys Issue {"number": 0, "payload": "x"}
      delivers ["0101110001100101", "m", 0, "x", "m"]
      has {"publications": [["0101110001100101", "m", 0, "x", "m"]]}
