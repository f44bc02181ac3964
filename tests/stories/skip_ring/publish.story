all {"implementation": "skip_ring", "parameters": {"key_bits": 3}}
base subscriber {"label": "1", "left": ["01", "b"], "right": ["11", "c"], "ring": null, "shortcuts": [["0", "b"], ["101", "d"], ["111", null]], "wants": true}

the root of the trie is sent to the neighbour that the coin names before all else
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"]]} drawing [0.0, 0.0]
    times out
      sends b CheckTrie {"sender": "u", "tuples": [["0", "5660f480412a0203aebbd35a53ab8bac"]]}
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      sends c Check {"sender": ["1", "u"], "label": "11", "flag": "LIN"}
      sends d Linearize {"claim": ["11", "c"]}
      tosses ask b
      sends supervisor GetConfiguration {"subscriber": "u"}
      has {"right": ["101", "d"], "shortcuts": [["0", "b"]]}
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"]]} drawing [0.0, 0.6]
    times out
      sends c CheckTrie {"sender": "u", "tuples": [["0", "5660f480412a0203aebbd35a53ab8bac"]]}
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      sends c Check {"sender": ["1", "u"], "label": "11", "flag": "LIN"}
      sends d Linearize {"claim": ["11", "c"]}
      tosses ask c
      sends supervisor GetConfiguration {"subscriber": "u"}
      has {"right": ["101", "d"], "shortcuts": [["0", "b"]]}
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"]]} drawing [0.6, 0.0]
    times out
      sends b CheckTrie {"sender": "u", "tuples": [["0", "5660f480412a0203aebbd35a53ab8bac"]]}
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      sends c Check {"sender": ["1", "u"], "label": "11", "flag": "LIN"}
      sends d Linearize {"claim": ["11", "c"]}
      tosses silent b
      has {"right": ["101", "d"], "shortcuts": [["0", "b"]]}
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"]]} drawing [0.6, 0.6]
    times out
      sends c CheckTrie {"sender": "u", "tuples": [["0", "5660f480412a0203aebbd35a53ab8bac"]]}
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      sends c Check {"sender": ["1", "u"], "label": "11", "flag": "LIN"}
      sends d Linearize {"claim": ["11", "c"]}
      tosses silent c
      has {"right": ["101", "d"], "shortcuts": [["0", "b"]]}
  subscriber u {} with {"parameters": {}} drawing [0.0]
    times out
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      sends c Check {"sender": ["1", "u"], "label": "11", "flag": "LIN"}
      sends d Linearize {"claim": ["11", "c"]}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "u"}
      has {"right": ["101", "d"], "shortcuts": [["0", "b"]]}
  subscriber u {} with {"parameters": {}} drawing [0.6]
    times out
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      sends c Check {"sender": ["1", "u"], "label": "11", "flag": "LIN"}
      sends d Linearize {"claim": ["11", "c"]}
      tosses silent
      has {"right": ["101", "d"], "shortcuts": [["0", "b"]]}

one that wants to leave compares tries as long as it has a label
  subscriber u {"right": null, "shortcuts": [], "wants": false} drawing [0.0, 0.0]
    times out
      sends b CheckTrie {"sender": "u", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends b Present {"claim": ["1", "u"], "flag": "CYC"}
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      tosses ask b
      sends supervisor Unsubscribe {"subscriber": "u"}
      has {"shortcuts": [["0", null]]}
  subscriber u {"right": null, "shortcuts": [], "wants": false} drawing [0.6, 0.0]
    times out
      sends b CheckTrie {"sender": "u", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends b Present {"claim": ["1", "u"], "flag": "CYC"}
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      tosses silent b
      sends supervisor Unsubscribe {"subscriber": "u"}
      has {"shortcuts": [["0", null]]}

a node with the same hash is not answered
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckTrie {"sender": "b", "tuples": [["", "70aca6878b16d7134058f7b9fc6a9eb5"]]}
      held elsewhere ""
    takes CheckTrie {"sender": "b", "tuples": [["0", "5660f480412a0203aebbd35a53ab8bac"]]}
      held elsewhere "0"
    takes CheckTrie {"sender": "b", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"]]}
      held elsewhere "000"
    takes CheckTrie {"sender": "b", "tuples": [["010", "12a3e19a5a53239c68376faa0549d12f"]]}
      held elsewhere "010"
    takes CheckTrie {"sender": "b", "tuples": [["10", "1fe9e9e69599736f04091bc0adbc2839"]]}
      held elsewhere "10"
    takes CheckTrie {"sender": "b", "tuples": [["100", "c2f70888fb1a1dfead28c848bdaf7a31"]]}
      held elsewhere "100"

a leaf is never answered
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckTrie {"sender": "b", "tuples": [["100", "00000000000000000000000000000000"]]}

an inner node that differs is answered with both children in one message
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckTrie {"sender": "b", "tuples": [["", "00000000000000000000000000000000"]]}
      sends b CheckTrie {"sender": "u", "tuples": [["0", "5660f480412a0203aebbd35a53ab8bac"], ["10", "1fe9e9e69599736f04091bc0adbc2839"]]}
    takes CheckTrie {"sender": "b", "tuples": [["10", "00000000000000000000000000000000"]]}
      sends b CheckTrie {"sender": "u", "tuples": [["100", "c2f70888fb1a1dfead28c848bdaf7a31"], ["101", "f273da1d6fa0008448f0a995e779d655"]]}

below a missing node the shortest label is checked and the other side asked for
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckTrie {"sender": "b", "tuples": [["1", "00000000000000000000000000000000"]]}
      sends b CheckAndPublish {"sender": "u", "tuples": [["10", "1fe9e9e69599736f04091bc0adbc2839"]], "prefix": "11"}
    takes CheckTrie {"sender": "b", "tuples": [["01", "00000000000000000000000000000000"]]}
      sends b CheckAndPublish {"sender": "u", "tuples": [["010", "12a3e19a5a53239c68376faa0549d12f"]], "prefix": "011"}

where nothing is below all of it is asked for
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckTrie {"sender": "b", "tuples": [["11", "00000000000000000000000000000000"]]}
      sends b CheckAndPublish {"sender": "u", "tuples": [], "prefix": "11"}
    takes CheckTrie {"sender": "b", "tuples": [["011", "00000000000000000000000000000000"]]}
      sends b CheckAndPublish {"sender": "u", "tuples": [], "prefix": "011"}
    takes CheckTrie {"sender": "b", "tuples": [["001", "00000000000000000000000000000000"]]}
      sends b CheckAndPublish {"sender": "u", "tuples": [], "prefix": "001"}

the empty trie asks another one for everything and is equal to an empty one
  subscriber u {}
    takes CheckTrie {"sender": "b", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
    takes CheckTrie {"sender": "b", "tuples": [["", "00000000000000000000000000000000"]]}
      sends b CheckAndPublish {"sender": "u", "tuples": [], "prefix": ""}
    takes CheckTrie {"sender": "b", "tuples": [["010", "00000000000000000000000000000000"]]}
      sends b CheckAndPublish {"sender": "u", "tuples": [], "prefix": "010"}

a trie that is not empty answers the root of the empty one as any other node
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckTrie {"sender": "b", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends b CheckTrie {"sender": "u", "tuples": [["0", "5660f480412a0203aebbd35a53ab8bac"], ["10", "1fe9e9e69599736f04091bc0adbc2839"]]}
  subscriber u {"publications": [["010", "v1", 2, "", "v1"]]}
    takes CheckTrie {"sender": "b", "tuples": [["", "084fed08b978af4d7d196a7446a86b58"]]}
      sends b CheckAndPublish {"sender": "u", "tuples": [["010", "12a3e19a5a53239c68376faa0549d12f"]], "prefix": "1"}

tuples are answered one by one in their order
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckTrie {"sender": "b", "tuples": [["11", "00000000000000000000000000000000"], ["10", "00000000000000000000000000000000"]]}
      sends b CheckAndPublish {"sender": "u", "tuples": [], "prefix": "11"}
      sends b CheckTrie {"sender": "u", "tuples": [["100", "c2f70888fb1a1dfead28c848bdaf7a31"], ["101", "f273da1d6fa0008448f0a995e779d655"]]}
    takes CheckTrie {"sender": "b", "tuples": [["11", "00000000000000000000000000000000"]]}
      sends b CheckAndPublish {"sender": "u", "tuples": [], "prefix": "11"}
    takes CheckTrie {"sender": "b", "tuples": [["10", "00000000000000000000000000000000"]]}
      sends b CheckTrie {"sender": "u", "tuples": [["100", "c2f70888fb1a1dfead28c848bdaf7a31"], ["101", "f273da1d6fa0008448f0a995e779d655"]]}

one without a label asks to be forgotten and hands nothing over
  subscriber u {"label": null, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckTrie {"sender": "b", "tuples": [["", "00000000000000000000000000000000"]]}
      sends b RemoveConnections {"node": "u"}
    takes CheckAndPublish {"sender": "b", "tuples": [["", "00000000000000000000000000000000"]], "prefix": ""}
      sends b RemoveConnections {"node": "u"}

what seems to come from oneself is answered by nothing to oneself
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckTrie {"sender": "u", "tuples": [["", "00000000000000000000000000000000"]]}
    takes CheckAndPublish {"sender": "u", "tuples": [["", "00000000000000000000000000000000"]], "prefix": ""}
    takes PublishNew {"sender": "u", "publication": ["001", "v1", 4, "", "v1"]}
      delivers ["001", "v1", 4, "", "v1"]
      sends b PublishNew {"sender": "u", "publication": ["001", "v1", 4, "", "v1"]}
      sends c PublishNew {"sender": "u", "publication": ["001", "v1", 4, "", "v1"]}
      sends d PublishNew {"sender": "u", "publication": ["001", "v1", 4, "", "v1"]}
      has {"publications": [["000", "v1", 7, "", "v1"], ["001", "v1", 4, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}

everything with the prefix is handed over in the order of keys after the comparison
  subscriber u {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckAndPublish {"sender": "b", "tuples": [["0", "00000000000000000000000000000000"]], "prefix": "10"}
      sends b CheckTrie {"sender": "u", "tuples": [["000", "b625d6d820eac756ff94d4f45305a40a"], ["010", "12a3e19a5a53239c68376faa0549d12f"]]}
      sends b Publish {"publications": [["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes CheckAndPublish {"sender": "b", "tuples": [], "prefix": "11"}

what is not valid is refused
  subscriber u {}
    takes Publish {"publications": [["101", "v1", 11, "", "v3"]]}
      refuses forged
    takes PublishNew {"sender": "b", "publication": ["101", "v1", 11, "", "v3"]}
      refuses forged
    takes Publish {"publications": [["101", "v1", 11, "x", "v1"]]}
      refuses key_mismatch
    takes PublishNew {"sender": "b", "publication": ["101", "v1", 11, "x", "v1"]}
      refuses key_mismatch
    takes Publish {"publications": [["000", "v1", 11, "", "v1"]]}
      refuses key_mismatch
    takes PublishNew {"sender": "b", "publication": ["000", "v1", 11, "", "v1"]}
      refuses key_mismatch
    takes Publish {"publications": [["101", "v1", 999, "", "v1"]]}
      refuses key_mismatch
    takes PublishNew {"sender": "b", "publication": ["101", "v1", 999, "", "v1"]}
      refuses key_mismatch

what is expired is refused and what expires is dropped
  subscriber u {"publications": [["0100011101111111110100110111100110011001010100110100000101111101", "b", 2, "", "b"], ["1111000001000001000100000011100011000011101111001000100001000011", "b", 1, "", "b"]]} with {"parameters": {"key_bits": 64, "keep": 2}}
    takes Publish {"publications": [["0110111001101110100010111001001110010110010111001111011000001111", "b", 0, "", "b"]]}
      refuses expired
      sends b PublishNew {"sender": "u", "publication": ["1111000001000001000100000011100011000011101111001000100001000011", "b", 1, "", "b"]}
      sends b PublishNew {"sender": "u", "publication": ["0100011101111111110100110111100110011001010100110100000101111101", "b", 2, "", "b"]}
      sends c PublishNew {"sender": "u", "publication": ["1111000001000001000100000011100011000011101111001000100001000011", "b", 1, "", "b"]}
      sends c PublishNew {"sender": "u", "publication": ["0100011101111111110100110111100110011001010100110100000101111101", "b", 2, "", "b"]}
    takes PublishNew {"sender": "b", "publication": ["0110111001101110100010111001001110010110010111001111011000001111", "b", 0, "", "b"]}
      refuses expired
    takes Publish {"publications": [["0110111001101110100010111001001110010110010111001111011000001111", "b", 0, "", "b"], ["1001100010010111110111001101110101001011011100110010111001100000", "b", 3, "", "b"]]}
      refuses expired
      delivers ["1001100010010111110111001101110101001011011100110010111001100000", "b", 3, "", "b"]
      sends b PublishNew {"sender": "u", "publication": ["0100011101111111110100110111100110011001010100110100000101111101", "b", 2, "", "b"]}
      sends b PublishNew {"sender": "u", "publication": ["1001100010010111110111001101110101001011011100110010111001100000", "b", 3, "", "b"]}
      sends c PublishNew {"sender": "u", "publication": ["0100011101111111110100110111100110011001010100110100000101111101", "b", 2, "", "b"]}
      sends c PublishNew {"sender": "u", "publication": ["1001100010010111110111001101110101001011011100110010111001100000", "b", 3, "", "b"]}
      has {"publications": [["0100011101111111110100110111100110011001010100110100000101111101", "b", 2, "", "b"], ["1001100010010111110111001101110101001011011100110010111001100000", "b", 3, "", "b"]]}
  subscriber u {"publications": [["0100011101111111110100110111100110011001010100110100000101111101", "b", 2, "", "b"], ["1111000001000001000100000011100011000011101111001000100001000011", "b", 1, "", "b"]]} with {"parameters": {"key_bits": 64, "keep": 2}}
    takes PublishNew {"sender": "b", "publication": ["1001100010010111110111001101110101001011011100110010111001100000", "b", 3, "", "b"]}
      delivers ["1001100010010111110111001101110101001011011100110010111001100000", "b", 3, "", "b"]
      sends c PublishNew {"sender": "u", "publication": ["1001100010010111110111001101110101001011011100110010111001100000", "b", 3, "", "b"]}
      sends d PublishNew {"sender": "u", "publication": ["1001100010010111110111001101110101001011011100110010111001100000", "b", 3, "", "b"]}
      has {"publications": [["0100011101111111110100110111100110011001010100110100000101111101", "b", 2, "", "b"], ["1001100010010111110111001101110101001011011100110010111001100000", "b", 3, "", "b"]]}

what is new is stored delivered and sent to every node once but not back
  subscriber u {}
    takes PublishNew {"sender": "b", "publication": ["011", "v1", 0, "", "v1"]}
      delivers ["011", "v1", 0, "", "v1"]
      sends c PublishNew {"sender": "u", "publication": ["011", "v1", 0, "", "v1"]}
      sends d PublishNew {"sender": "u", "publication": ["011", "v1", 0, "", "v1"]}
      has {"publications": [["011", "v1", 0, "", "v1"]]}

what is known or not wanted is not flooded
  subscriber u {"publications": [["011", "v1", 0, "", "v1"]]}
    takes PublishNew {"sender": "b", "publication": ["011", "v1", 0, "", "v1"]}
  subscriber u {"wants": false}
    takes PublishNew {"sender": "b", "publication": ["011", "v1", 0, "", "v1"]}

what an application publishes is stored delivered and sent to every node once
  subscriber u {}
    obeys Publish {"number": 7, "payload": "hello"}
      delivers ["110", "u", 7, "hello", "u"]
      sends b PublishNew {"sender": "u", "publication": ["110", "u", 7, "hello", "u"]}
      sends c PublishNew {"sender": "u", "publication": ["110", "u", 7, "hello", "u"]}
      sends d PublishNew {"sender": "u", "publication": ["110", "u", 7, "hello", "u"]}
      has {"publications": [["110", "u", 7, "hello", "u"]]}

no node publishes to itself
  subscriber u {"ring": ["0", "u"]}
    obeys Publish {"number": 7, "payload": "hello"}
      delivers ["110", "u", 7, "hello", "u"]
      sends b PublishNew {"sender": "u", "publication": ["110", "u", 7, "hello", "u"]}
      sends c PublishNew {"sender": "u", "publication": ["110", "u", 7, "hello", "u"]}
      sends d PublishNew {"sender": "u", "publication": ["110", "u", 7, "hello", "u"]}
      has {"publications": [["110", "u", 7, "hello", "u"]]}

one that leaves and forgets drops its publications once it has no label
  subscriber u {"label": null, "wants": false, "forgets": true, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]], "hashes": [["", "00000000000000000000000000000000"]]}
    times out
      sends b RemoveConnections {"node": "u"}
      sends c RemoveConnections {"node": "u"}
      sends d RemoveConnections {"node": "u"}
      has {"left": null, "right": null, "shortcuts": []}
      has no forgets publications hashes
  subscriber u {"label": null, "wants": false, "forgets": true, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]], "hashes": [["", "00000000000000000000000000000000"]]}
    takes SetData {"pred": null, "label": null, "succ": null}
      sends b RemoveConnections {"node": "u"}
      sends c RemoveConnections {"node": "u"}
      sends d RemoveConnections {"node": "u"}
      has {"left": null, "right": null, "shortcuts": []}
      has no forgets publications hashes

otherwise publications stay without a label
  subscriber u {"label": null, "wants": false, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    times out
      sends b RemoveConnections {"node": "u"}
      sends c RemoveConnections {"node": "u"}
      sends d RemoveConnections {"node": "u"}
      has {"left": null, "right": null, "shortcuts": []}
  subscriber u {"label": null, "wants": false, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes SetData {"pred": null, "label": null, "succ": null}
      sends b RemoveConnections {"node": "u"}
      sends c RemoveConnections {"node": "u"}
      sends d RemoveConnections {"node": "u"}
      has {"left": null, "right": null, "shortcuts": []}
  subscriber u {"label": null, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    times out
      sends b RemoveConnections {"node": "u"}
      sends c RemoveConnections {"node": "u"}
      sends d RemoveConnections {"node": "u"}
      sends supervisor Subscribe {"subscriber": "u"}
      has {"left": null, "right": null, "shortcuts": []}
  subscriber u {"label": null, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes SetData {"pred": null, "label": null, "succ": null}
      sends b RemoveConnections {"node": "u"}
      sends c RemoveConnections {"node": "u"}
      sends d RemoveConnections {"node": "u"}
      has {"left": null, "right": null, "shortcuts": []}
  subscriber u {"label": null, "forgets": true, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    times out
      sends b RemoveConnections {"node": "u"}
      sends c RemoveConnections {"node": "u"}
      sends d RemoveConnections {"node": "u"}
      sends supervisor Subscribe {"subscriber": "u"}
      has {"left": null, "right": null, "shortcuts": []}
  subscriber u {"label": null, "forgets": true, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    takes SetData {"pred": null, "label": null, "succ": null}
      sends b RemoveConnections {"node": "u"}
      sends c RemoveConnections {"node": "u"}
      sends d RemoveConnections {"node": "u"}
      has {"left": null, "right": null, "shortcuts": []}

as long as it has a label a leaver forgets nothing
  subscriber u {"wants": false, "forgets": true, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]} drawing [0.0, 0.0]
    times out
      sends b CheckTrie {"sender": "u", "tuples": [["", "70aca6878b16d7134058f7b9fc6a9eb5"]]}
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      sends c Check {"sender": ["1", "u"], "label": "11", "flag": "LIN"}
      sends d Linearize {"claim": ["11", "c"]}
      tosses ask b
      sends supervisor Unsubscribe {"subscriber": "u"}
      has {"right": ["101", "d"], "shortcuts": [["0", "b"]]}
  subscriber u {"wants": false, "forgets": true, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]} drawing [0.0, 0.6]
    times out
      sends c CheckTrie {"sender": "u", "tuples": [["", "70aca6878b16d7134058f7b9fc6a9eb5"]]}
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      sends c Check {"sender": ["1", "u"], "label": "11", "flag": "LIN"}
      sends d Linearize {"claim": ["11", "c"]}
      tosses ask c
      sends supervisor Unsubscribe {"subscriber": "u"}
      has {"right": ["101", "d"], "shortcuts": [["0", "b"]]}
  subscriber u {"wants": false, "forgets": true, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]} drawing [0.6, 0.0]
    times out
      sends b CheckTrie {"sender": "u", "tuples": [["", "70aca6878b16d7134058f7b9fc6a9eb5"]]}
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      sends c Check {"sender": ["1", "u"], "label": "11", "flag": "LIN"}
      sends d Linearize {"claim": ["11", "c"]}
      tosses silent b
      sends supervisor Unsubscribe {"subscriber": "u"}
      has {"right": ["101", "d"], "shortcuts": [["0", "b"]]}
  subscriber u {"wants": false, "forgets": true, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]} drawing [0.6, 0.6]
    times out
      sends c CheckTrie {"sender": "u", "tuples": [["", "70aca6878b16d7134058f7b9fc6a9eb5"]]}
      sends b Check {"sender": ["1", "u"], "label": "01", "flag": "LIN"}
      sends c Check {"sender": ["1", "u"], "label": "11", "flag": "LIN"}
      sends d Linearize {"claim": ["11", "c"]}
      tosses silent c
      sends supervisor Unsubscribe {"subscriber": "u"}
      has {"right": ["101", "d"], "shortcuts": [["0", "b"]]}

the last command says whether one forgets
  subscriber v1 {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    obeys Unsubscribe {"forget": true}
      has {"wants": false, "forgets": true}
    obeys Unsubscribe {"forget": true}
  subscriber v1 {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    obeys Unsubscribe {}
      has {"wants": false}
  subscriber v1 {"wants": false, "forgets": true, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    obeys Unsubscribe {}
      has no forgets
  subscriber v1 {"publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    obeys Subscribe {}
  subscriber v1 {"wants": false, "forgets": true, "publications": [["000", "v1", 7, "", "v1"], ["010", "v1", 2, "", "v1"], ["100", "v2", 0, "", "v2"], ["101", "v1", 11, "", "v1"]]}
    obeys Subscribe {}
      has {"wants": true}
      has no forgets
