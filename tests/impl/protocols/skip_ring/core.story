all {"implementation": "skip_ring", "parameters": {}}
base subscriber {"label": "01", "left": null, "right": null, "ring": null, "shortcuts": [], "wants": true}

every step begins by forgetting oneself
  subscriber u {"left": ["0", "u"], "right": ["1", "u"], "ring": ["11", "u"], "shortcuts": [["0", "u"], ["1", "v"]]}
    takes Probe {"sender": "u", "flag": "LIN"}
      has {"left": null, "right": null, "ring": null, "shortcuts": [["0", null], ["1", "v"]]}

messages for the supervisor have no effect
  subscriber u {"left": ["0", "u"]}
    takes Subscribe {"subscriber": "v"}
  subscriber u {"left": ["0", "u"]}
    takes Unsubscribe {"subscriber": "v"}
  subscriber u {"left": ["0", "u"]}
    takes GetConfiguration {"subscriber": "v"}

commands change what the application wants and nothing else
  subscriber u {"left": ["0", "u"]}
    obeys Unsubscribe
      has {"wants": false}
    obeys Subscribe
      has {"wants": true}

a shortcut takes the node that is offered
  subscriber u {"shortcuts": [["0", null], ["1", "w"]]}
    takes IntroduceShortcut {"claim": ["0", "v"]}
      has {"shortcuts": [["0", "v"], ["1", "w"]]}

a displaced shortcut goes to the list
  subscriber u {"right": ["011", "r"], "shortcuts": [["1", "w"]]}
    takes IntroduceShortcut {"claim": ["1", "v"]}
      sends r Linearize {"claim": ["1", "w"]}
      has {"shortcuts": [["1", "v"]]}

the same shortcut again changes nothing
  subscriber u {"right": ["011", "r"], "shortcuts": [["1", "w"]]}
    takes IntroduceShortcut {"claim": ["1", "w"]}

an offer without a place goes to the list
  subscriber u {}
    takes IntroduceShortcut {"claim": ["1", "v"]}
      has {"right": ["1", "v"]}

an offer of oneself is ignored and one without a label refused
  subscriber u {"shortcuts": [["1", null]]}
    takes IntroduceShortcut {"claim": ["1", "u"]}
  subscriber u {"label": null, "shortcuts": [["1", null]]}
    takes IntroduceShortcut {"claim": ["1", "v"]}
      sends v RemoveConnections {"node": "u"}

an empty configuration empties everything
  subscriber u {"left": ["001", "l"], "right": ["011", "r"], "ring": ["1", "l"], "shortcuts": [["0", "a"], ["1", null], ["11", "r"]]}
    takes SetData {"pred": null, "label": null, "succ": null}
      sends l RemoveConnections {"node": "u"}
      sends r RemoveConnections {"node": "u"}
      sends a RemoveConnections {"node": "u"}
      has {"label": null, "left": null, "right": null, "ring": null, "shortcuts": []}

a configuration inside the ring sets left and right
  subscriber u {"label": null, "shortcuts": [["1", "z"]]}
    takes SetData {"pred": ["001", "a"], "label": "01", "succ": ["011", "b"]}
      has {"label": "01", "left": ["001", "a"], "right": ["011", "b"]}

the ends of the ring store the cyclic neighbour
  subscriber u {"label": null}
    takes SetData {"pred": ["11", "a"], "label": "0", "succ": ["01", "b"]}
      has {"label": "0", "right": ["01", "b"], "ring": ["11", "a"]}
  subscriber u {"label": null}
    takes SetData {"pred": ["1", "a"], "label": "11", "succ": ["0", "b"]}
      has {"label": "11", "left": ["1", "a"], "ring": ["0", "b"]}

in a ring of two the lower stores the other twice
  subscriber u {"label": null}
    takes SetData {"pred": ["1", "a"], "label": "0", "succ": ["1", "a"]}
      has {"label": "0", "right": ["1", "a"], "ring": ["1", "a"]}
  subscriber u {"label": null}
    takes SetData {"pred": ["0", "a"], "label": "1", "succ": ["0", "a"]}
      has {"label": "1", "left": ["0", "a"], "ring": ["0", "a"]}

a cyclic successor gives way to a cyclic predecessor
  subscriber u {"label": null}
    takes SetData {"pred": ["1", "a"], "label": "01", "succ": ["0", "b"]}
      has {"label": "01", "ring": ["1", "a"]}

neighbours that are oneself or share the label count as empty
  subscriber u {"label": null}
    takes SetData {"pred": ["001", "u"], "label": "01", "succ": ["01", "b"]}
      has {"label": "01"}

a replaced neighbour that is closer is asked about and delegated
  subscriber u {"left": ["001", "l"], "right": ["011", "r"]}
    takes SetData {"pred": ["0", "a"], "label": "01", "succ": ["1", "b"]}
      sends supervisor GetConfiguration {"subscriber": "l"}
      sends supervisor GetConfiguration {"subscriber": "r"}
      sends l Linearize {"claim": ["0", "a"]}
      sends r Linearize {"claim": ["1", "b"]}

a replaced neighbour that is farther is delegated without a question
  subscriber u {"left": ["0", "l"], "right": ["1", "r"]}
    takes SetData {"pred": ["001", "a"], "label": "01", "succ": ["011", "b"]}
      sends a Linearize {"claim": ["0", "l"]}
      sends b Linearize {"claim": ["1", "r"]}
      has {"left": ["001", "a"], "right": ["011", "b"]}

a replaced neighbour at the same distance is asked about
  subscriber u {"left": ["001", "l"]}
    takes SetData {"pred": ["001", "a"], "label": "01", "succ": null}
      sends supervisor GetConfiguration {"subscriber": "l"}
      sends l Probe {"sender": "u", "flag": "LIN"}
      has {"left": ["001", "a"]}

a replaced neighbour is asked about where there is no new one
  subscriber u {"label": "0", "right": ["01", "r"]}
    takes SetData {"pred": null, "label": "0", "succ": null}
      sends supervisor GetConfiguration {"subscriber": "r"}

the cyclic edge is compared around the ring
  subscriber u {"label": "0", "ring": ["111", "x"]}
    takes SetData {"pred": ["11", "a"], "label": "0", "succ": ["01", "b"]}
      sends supervisor GetConfiguration {"subscriber": "x"}
      sends b Linearize {"claim": ["111", "x"]}
      has {"right": ["01", "b"], "ring": ["11", "a"]}
  subscriber u {"label": "0", "ring": ["1", "x"]}
    takes SetData {"pred": ["11", "a"], "label": "0", "succ": ["01", "b"]}
      sends b Linearize {"claim": ["1", "x"]}
      has {"right": ["01", "b"], "ring": ["11", "a"]}

a cyclic reference belongs to the side of the new label
  subscriber u {"label": "11", "ring": ["01", "x"]}
    takes SetData {"pred": ["1", "a"], "label": "0", "succ": null}
      has {"label": "0", "right": ["01", "x"], "ring": ["1", "a"]}

a claim in both left and ring is two replaced references
  subscriber u {"left": ["1", "x"], "ring": ["1", "x"]}
    takes SetData {"pred": null, "label": "11", "succ": ["0", "b"]}
      sends supervisor GetConfiguration {"subscriber": "x"}
      has {"label": "11", "ring": ["0", "b"]}
  subscriber u {"left": ["0", "x"], "ring": ["0", "x"]}
    takes SetData {"pred": null, "label": "01", "succ": ["0", "b"]}
      sends supervisor GetConfiguration {"subscriber": "x"}
      sends supervisor GetConfiguration {"subscriber": "x"}
      sends x Probe {"sender": "u", "flag": "LIN"}
      sends x Probe {"sender": "u", "flag": "LIN"}
      has {"left": null, "ring": ["0", "b"]}

a neighbour that stays is not delegated
  subscriber u {"left": ["001", "l"], "right": ["011", "r"]}
    takes SetData {"pred": ["0", "l"], "label": "01", "succ": ["011", "r"]}
      has {"left": ["0", "l"]}

a node without a label lets go of everyone and subscribes
  subscriber u {"label": null, "left": ["001", "l"], "ring": ["1", "l"], "shortcuts": [["0", "a"], ["1", null]]}
    times out
      sends l RemoveConnections {"node": "u"}
      sends a RemoveConnections {"node": "u"}
      sends supervisor Subscribe {"subscriber": "u"}
      has {"left": null, "ring": null, "shortcuts": []}

a node without a label that does not want one stays away
  subscriber u {"label": null, "wants": false}
    times out

a node that asks asks for itself
  subscriber u {} drawing [0.0]
    times out
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "u"}
  subscriber u {} drawing [0.999]
    times out
      tosses silent

a node that does not want to stay unsubscribes whatever the coin
  subscriber u {"wants": false} drawing [0.0]
    times out
      tosses ask
      sends supervisor Unsubscribe {"subscriber": "u"}
  subscriber u {"wants": false} drawing [0.999]
    times out
      tosses silent
      sends supervisor Unsubscribe {"subscriber": "u"}

a node alone is silent
  subscriber u {"label": "0"} drawing [0.999]
    times out
      tosses silent

the ends of the list present themselves for the ring
  subscriber u {"right": ["011", "r"]} drawing [0.999]
    times out
      sends r Present {"claim": ["01", "u"], "flag": "CYC"}
      sends r Check {"sender": ["01", "u"], "label": "011", "flag": "LIN"}
      tosses silent
      has {"shortcuts": [["1", null]]}
  subscriber u {"left": ["001", "l"]} drawing [0.999]
    times out
      sends l Present {"claim": ["01", "u"], "flag": "CYC"}
      sends l Check {"sender": ["01", "u"], "label": "001", "flag": "LIN"}
      tosses silent
      has {"shortcuts": [["0", null]]}
  subscriber u {"left": ["001", "l"], "right": ["011", "r"]} drawing [0.999]
    times out
      sends l Check {"sender": ["01", "u"], "label": "001", "flag": "LIN"}
      sends r Check {"sender": ["01", "u"], "label": "011", "flag": "LIN"}
      tosses silent
      has {"shortcuts": [["0", null], ["1", null]]}

a cyclic neighbour with the own label is probed and dropped
  subscriber u {"left": ["001", "l"], "right": ["011", "r"], "ring": ["01", "x"]} drawing [0.999]
    times out
      sends x Probe {"sender": "u", "flag": "CYC"}
      sends l Check {"sender": ["01", "u"], "label": "001", "flag": "LIN"}
      sends r Check {"sender": ["01", "u"], "label": "011", "flag": "LIN"}
      tosses silent
      has {"ring": null, "shortcuts": [["0", null], ["1", null]]}

a cyclic edge in the middle is passed on towards the end
  subscriber u {"left": ["001", "l"], "right": ["011", "r"], "ring": ["11", "x"]} drawing [0.999]
    times out
      sends l Introduce {"claim": ["11", "x"], "flag": "CYC"}
      sends l Check {"sender": ["01", "u"], "label": "001", "flag": "LIN"}
      sends r Check {"sender": ["01", "u"], "label": "011", "flag": "LIN"}
      tosses silent
      has {"ring": null, "shortcuts": [["0", null], ["1", null]]}
  subscriber u {"left": ["001", "l"], "right": ["011", "r"], "ring": ["0", "x"]} drawing [0.999]
    times out
      sends r Introduce {"claim": ["0", "x"], "flag": "CYC"}
      sends l Check {"sender": ["01", "u"], "label": "001", "flag": "LIN"}
      sends r Check {"sender": ["01", "u"], "label": "011", "flag": "LIN"}
      tosses silent
      has {"ring": null, "shortcuts": [["0", null], ["1", null]]}

a cyclic edge at the end is checked
  subscriber u {"right": ["011", "r"], "ring": ["11", "x"]} drawing [0.999]
    times out
      sends x Check {"sender": ["01", "u"], "label": "11", "flag": "CYC"}
      sends r Check {"sender": ["01", "u"], "label": "011", "flag": "LIN"}
      tosses silent
      has {"shortcuts": [["1", null]]}
  subscriber u {"left": ["001", "l"], "ring": ["0", "x"]} drawing [0.999]
    times out
      sends x Check {"sender": ["01", "u"], "label": "0", "flag": "CYC"}
      sends l Check {"sender": ["01", "u"], "label": "001", "flag": "LIN"}
      tosses silent
      has {"shortcuts": [["0", null]]}

list neighbours are checked with the label that is stored
  subscriber u {"left": ["001", "l"], "right": ["011", "r"]} drawing [0.999]
    times out
      sends l Check {"sender": ["01", "u"], "label": "001", "flag": "LIN"}
      sends r Check {"sender": ["01", "u"], "label": "011", "flag": "LIN"}
      tosses silent
      has {"shortcuts": [["0", null], ["1", null]]}

a neighbour with the own label is checked in place
  subscriber u {"left": ["01", "l"], "right": ["01", "r"]} drawing [0.999]
    times out
      sends l Check {"sender": ["01", "u"], "label": "01", "flag": "LIN"}
      sends r Check {"sender": ["01", "u"], "label": "01", "flag": "LIN"}
      tosses silent
      sends l IntroduceShortcut {"claim": ["01", "r"]}
      sends r IntroduceShortcut {"claim": ["01", "l"]}

a neighbour on the wrong side is placed anew and left comes first
  subscriber u {"left": ["1", "l"], "right": ["0", "r"]} drawing [0.999]
    times out
      sends r Linearize {"claim": ["1", "l"]}
      tosses silent
      has {"left": ["0", "r"], "right": null}
  subscriber u {"left": ["1", "l"]} drawing [0.999]
    times out
      sends l Present {"claim": ["01", "u"], "flag": "CYC"}
      sends l Check {"sender": ["01", "u"], "label": "1", "flag": "LIN"}
      tosses silent
      has {"left": null, "right": ["1", "l"]}

shortcuts get the labels that the neighbours imply
  subscriber u {"left": ["0011", "l"], "right": ["0101", "r"], "shortcuts": [["0", "a"]]} drawing [0.999]
    times out
      sends l Check {"sender": ["01", "u"], "label": "0011", "flag": "LIN"}
      sends r Check {"sender": ["01", "u"], "label": "0101", "flag": "LIN"}
      tosses silent
      has {"shortcuts": [["0", "a"], ["001", null], ["011", null], ["1", null]]}

the cyclic neighbour implies shortcuts too
  subscriber u {"label": "0", "right": ["001", "r"], "ring": ["111", "x"]} drawing [0.999]
    times out
      sends x Check {"sender": ["0", "u"], "label": "111", "flag": "CYC"}
      sends r Check {"sender": ["0", "u"], "label": "001", "flag": "LIN"}
      tosses silent
      has {"shortcuts": [["01", null], ["1", null], ["11", null]]}

a cyclic neighbour on the wrong side implies none
  subscriber u {"ring": ["0", "x"]} drawing [0.999]
    times out
      sends x Check {"sender": ["01", "u"], "label": "0", "flag": "CYC"}
      tosses silent

pruned shortcuts go to the list in ascending order
  subscriber u {"label": "0", "right": ["001", "r"], "shortcuts": [["011", "a"], ["0111", "b"], ["111", null]]} drawing [0.999]
    times out
      sends r Present {"claim": ["0", "u"], "flag": "CYC"}
      sends r Check {"sender": ["0", "u"], "label": "001", "flag": "LIN"}
      sends r Linearize {"claim": ["011", "a"]}
      sends r Linearize {"claim": ["0111", "b"]}
      tosses silent
      has {"shortcuts": [["01", null], ["1", null]]}
  subscriber u {"label": "0", "shortcuts": [["011", "a"], ["0111", "b"]]} drawing [0.999]
    times out
      sends a Linearize {"claim": ["0111", "b"]}
      tosses silent
      has {"right": ["011", "a"], "shortcuts": []}

partners are the ends of both chains
  subscriber u {"left": ["0011", "l"], "right": ["0101", "r"], "shortcuts": [["0", "a"], ["1", "b"]]} drawing [0.999]
    times out
      sends l Check {"sender": ["01", "u"], "label": "0011", "flag": "LIN"}
      sends r Check {"sender": ["01", "u"], "label": "0101", "flag": "LIN"}
      tosses silent
      sends a IntroduceShortcut {"claim": ["1", "b"]}
      sends b IntroduceShortcut {"claim": ["0", "a"]}
      has {"shortcuts": [["0", "a"], ["001", null], ["011", null], ["1", "b"]]}

ring neighbours with shorter labels are partners themselves
  subscriber u {"label": "011", "left": ["01", "l"], "right": ["1", "r"]} drawing [0.999]
    times out
      sends l Check {"sender": ["011", "u"], "label": "01", "flag": "LIN"}
      sends r Check {"sender": ["011", "u"], "label": "1", "flag": "LIN"}
      tosses silent
      sends l IntroduceShortcut {"claim": ["1", "r"]}
      sends r IntroduceShortcut {"claim": ["01", "l"]}

there is no introduction without two different partners
  subscriber u {"left": ["0011", "l"], "right": ["0101", "r"], "shortcuts": [["0", "a"]]} drawing [0.999]
    times out
      sends l Check {"sender": ["01", "u"], "label": "0011", "flag": "LIN"}
      sends r Check {"sender": ["01", "u"], "label": "0101", "flag": "LIN"}
      tosses silent
      has {"shortcuts": [["0", "a"], ["001", null], ["011", null], ["1", null]]}
  subscriber u {"left": ["0011", "l"], "right": ["0101", "r"], "shortcuts": [["0", "a"], ["1", "a"]]} drawing [0.999]
    times out
      sends l Check {"sender": ["01", "u"], "label": "0011", "flag": "LIN"}
      sends r Check {"sender": ["01", "u"], "label": "0101", "flag": "LIN"}
      tosses silent
      has {"shortcuts": [["0", "a"], ["001", null], ["011", null], ["1", "a"]]}

partners are those from before the pruned shortcuts were placed
  subscriber u {"label": "011", "left": ["01", "l"], "shortcuts": [["1", "a"]]} drawing [0.999]
    times out
      sends l Present {"claim": ["011", "u"], "flag": "CYC"}
      sends l Check {"sender": ["011", "u"], "label": "01", "flag": "LIN"}
      tosses silent
      has {"right": ["1", "a"], "shortcuts": []}

the supervisor is no neighbour
  subscriber u {"left": ["1", "supervisor"], "right": ["1", "supervisor"], "ring": ["1", "supervisor"], "shortcuts": [["1", "supervisor"]]}
    takes SetData {"pred": ["0", "supervisor"], "label": "01", "succ": ["1", "supervisor"]}
      has {"left": null, "right": null, "ring": null, "shortcuts": [["1", null]]}
  subscriber u {"left": ["1", "supervisor"], "right": ["1", "supervisor"], "ring": ["1", "supervisor"], "shortcuts": [["1", "supervisor"]]}
    takes Check {"sender": ["1", "supervisor"], "label": "01", "flag": "LIN"}
      has {"left": null, "right": null, "ring": null, "shortcuts": [["1", null]]}
  subscriber u {"left": ["1", "supervisor"], "right": ["1", "supervisor"], "ring": ["1", "supervisor"], "shortcuts": [["1", "supervisor"]]}
    takes Check {"sender": ["1", "supervisor"], "label": "11", "flag": "CYC"}
      has {"left": null, "right": null, "ring": null, "shortcuts": [["1", null]]}
  subscriber u {"left": ["1", "supervisor"], "right": ["1", "supervisor"], "ring": ["1", "supervisor"], "shortcuts": [["1", "supervisor"]]}
    takes Introduce {"claim": ["1", "supervisor"], "flag": "CYC"}
      has {"left": null, "right": null, "ring": null, "shortcuts": [["1", null]]}
  subscriber u {"left": ["1", "supervisor"], "right": ["1", "supervisor"], "ring": ["1", "supervisor"], "shortcuts": [["1", "supervisor"]]}
    takes Present {"claim": ["1", "supervisor"], "flag": "LIN"}
      has {"left": null, "right": null, "ring": null, "shortcuts": [["1", null]]}
  subscriber u {"left": ["1", "supervisor"], "right": ["1", "supervisor"], "ring": ["1", "supervisor"], "shortcuts": [["1", "supervisor"]]}
    takes Linearize {"claim": ["1", "supervisor"]}
      has {"left": null, "right": null, "ring": null, "shortcuts": [["1", null]]}
  subscriber u {"left": ["1", "supervisor"], "right": ["1", "supervisor"], "ring": ["1", "supervisor"], "shortcuts": [["1", "supervisor"]]}
    takes IntroduceShortcut {"claim": ["1", "supervisor"]}
      has {"left": null, "right": null, "ring": null, "shortcuts": [["1", null]]}
  subscriber u {"left": ["1", "supervisor"], "right": ["1", "supervisor"], "ring": ["1", "supervisor"], "shortcuts": [["1", "supervisor"]]}
    takes Probe {"sender": "supervisor", "flag": "LIN"}
      has {"left": null, "right": null, "ring": null, "shortcuts": [["1", null]]}

an empty shortcut with a lower label keeps no node from thinking itself minimal
  # Source: Section 3.2.1, action (iv).
  subscriber u {"right": ["1", "r"], "ring": ["11", "x"], "shortcuts": [["0", null]]} drawing [0.4]
    times out
      sends x Check {"sender": ["01", "u"], "label": "11", "flag": "CYC"}
      sends r Check {"sender": ["01", "u"], "label": "1", "flag": "LIN"}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "u"}
      sends x IntroduceShortcut {"claim": ["1", "r"]}
      sends r IntroduceShortcut {"claim": ["11", "x"]}
      has {"shortcuts": []}
  subscriber u {"right": ["1", "r"], "ring": ["11", "x"], "shortcuts": [["0", "v"]]} drawing [0.4]
    times out
      sends x Check {"sender": ["01", "u"], "label": "11", "flag": "CYC"}
      sends r Check {"sender": ["01", "u"], "label": "1", "flag": "LIN"}
      tosses silent
      sends x IntroduceShortcut {"claim": ["1", "r"]}
      sends r IntroduceShortcut {"claim": ["11", "x"]}
      has {"left": ["0", "v"], "shortcuts": []}
