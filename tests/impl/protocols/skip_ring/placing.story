all {"implementation": "skip_ring", "parameters": {}}
base subscriber {"label": "01", "left": null, "right": null, "ring": null, "shortcuts": [], "wants": true}

a claim about oneself is ignored
  subscriber u {}
    takes Linearize {"claim": ["1", "u"]}

a node without a label asks to be left
  subscriber u {"label": null}
    takes Linearize {"claim": ["1", "v"]}
      sends v RemoveConnections {"node": "u"}
  subscriber u {"label": null}
    takes Introduce {"claim": ["1", "v"], "flag": "CYC"}
      sends v RemoveConnections {"node": "u"}
  subscriber u {"label": null}
    takes Present {"claim": ["1", "v"], "flag": "LIN"}
      sends v RemoveConnections {"node": "u"}

hearsay that contradicts a slot is checked with its subject
  subscriber u {"left": ["001", "l"]}
    takes Linearize {"claim": ["0", "l"]}
      sends l Probe {"sender": "u", "flag": "LIN"}
    takes Introduce {"claim": ["0", "l"], "flag": "CYC"}
      sends l Probe {"sender": "u", "flag": "CYC"}

hearsay that ties with a slot is checked with its subject
  subscriber u {"ring": ["11", "x"]}
    takes Linearize {"claim": ["11", "v"]}
      sends v Probe {"sender": "u", "flag": "LIN"}

hearsay that ties with oneself is checked with its subject
  subscriber u {}
    takes Linearize {"claim": ["01", "v"]}
      sends v Probe {"sender": "u", "flag": "LIN"}

shortcuts play no part in verifying
  subscriber u {"shortcuts": [["0", "v"], ["1", "w"]]}
    takes Linearize {"claim": ["1", "v"]}
      has {"right": ["1", "v"]}

first hand corrects what is stored
  subscriber u {"left": ["0", "v"], "ring": ["1", "v"]}
    takes Present {"claim": ["001", "v"], "flag": "LIN"}
      has {"left": ["001", "v"], "ring": null}

a first hand tie asks the supervisor about both
  subscriber u {"left": ["001", "l"]}
    takes Present {"claim": ["001", "v"], "flag": "LIN"}
      sends supervisor GetConfiguration {"subscriber": "v"}
      sends supervisor GetConfiguration {"subscriber": "l"}

a first hand tie with oneself asks about oneself
  subscriber u {}
    takes Present {"claim": ["01", "v"], "flag": "CYC"}
      sends supervisor GetConfiguration {"subscriber": "v"}
      sends supervisor GetConfiguration {"subscriber": "u"}

the other party of a tie is the first slot in order
  subscriber u {"label": "001", "left": ["001", "v"], "right": ["001", "r"], "ring": ["001", "x"]}
    takes Present {"claim": ["001", "v"], "flag": "LIN"}
      sends supervisor GetConfiguration {"subscriber": "v"}
      sends supervisor GetConfiguration {"subscriber": "r"}

a first hand tie still empties the contradiction
  subscriber u {"left": ["001", "l"], "right": ["1", "v"]}
    takes Present {"claim": ["001", "v"], "flag": "LIN"}
      sends supervisor GetConfiguration {"subscriber": "v"}
      sends supervisor GetConfiguration {"subscriber": "l"}
      has {"right": null}

an empty slot takes the claim
  subscriber u {}
    takes Linearize {"claim": ["0", "v"]}
      has {"left": ["0", "v"]}
    takes Linearize {"claim": ["1", "w"]}
      has {"right": ["1", "w"]}

a closer node is stored and gets the one before it
  subscriber u {"left": ["0", "l"], "right": ["1", "r"]}
    takes Linearize {"claim": ["001", "v"]}
      sends v Linearize {"claim": ["0", "l"]}
      has {"left": ["001", "v"]}
    takes Linearize {"claim": ["011", "w"]}
      sends w Linearize {"claim": ["1", "r"]}
      has {"right": ["011", "w"]}

a farther node is passed on
  subscriber u {"left": ["001", "l"], "right": ["011", "r"]}
    takes Linearize {"claim": ["0", "v"]}
      sends l Linearize {"claim": ["0", "v"]}
    takes Linearize {"claim": ["1", "w"]}
      sends r Linearize {"claim": ["1", "w"]}

what is stored already changes nothing
  subscriber u {"left": ["001", "l"]}
    takes Linearize {"claim": ["001", "l"]}

a slot on the wrong side gets the claim passed on
  subscriber u {"left": ["1", "l"]}
    takes Linearize {"claim": ["0", "v"]}
      sends l Linearize {"claim": ["0", "v"]}

an introduction to the list is hearsay and a presentation is not
  subscriber u {"left": ["001", "l"]}
    takes Introduce {"claim": ["0", "l"], "flag": "LIN"}
      sends l Probe {"sender": "u", "flag": "LIN"}
  subscriber u {"left": ["001", "l"]}
    takes Present {"claim": ["0", "l"], "flag": "LIN"}
      has {"left": ["0", "l"]}

a node at the end of the list closes the ring
  subscriber u {"label": "0", "right": ["011", "r"]}
    takes Introduce {"claim": ["11", "v"], "flag": "CYC"}
      has {"ring": ["11", "v"]}

a node inside the list passes the cyclic edge on
  subscriber u {"left": ["001", "l"], "right": ["011", "r"]}
    takes Introduce {"claim": ["11", "v"], "flag": "CYC"}
      sends l Introduce {"claim": ["11", "v"], "flag": "CYC"}
    takes Introduce {"claim": ["0", "w"], "flag": "CYC"}
      sends r Introduce {"claim": ["0", "w"], "flag": "CYC"}

the cyclic edge is not passed on to its own end
  subscriber u {"left": ["0", "v"], "right": ["011", "r"]}
    takes Present {"claim": ["11", "v"], "flag": "CYC"}
      has {"left": null, "ring": ["11", "v"]}
  subscriber u {"right": ["1", "v"]}
    takes Introduce {"claim": ["1", "v"], "flag": "CYC"}
      has {"ring": ["1", "v"]}

an inner neighbour on the wrong side is not told of itself
  subscriber u {"left": ["1", "v"]}
    takes Introduce {"claim": ["1", "v"], "flag": "CYC"}

the farther of two cyclic neighbours stays
  subscriber u {"label": "0", "ring": ["01", "x"]}
    takes Introduce {"claim": ["11", "v"], "flag": "CYC"}
      sends v Introduce {"claim": ["01", "x"], "flag": "LIN"}
      has {"right": ["01", "x"], "ring": ["11", "v"]}
    takes Introduce {"claim": ["1", "w"], "flag": "CYC"}
      sends v Introduce {"claim": ["1", "w"], "flag": "LIN"}
      sends x Linearize {"claim": ["1", "w"]}

the cyclic edge that is there changes nothing
  subscriber u {"label": "0", "ring": ["11", "x"]}
    takes Present {"claim": ["11", "x"], "flag": "CYC"}

cyclic neighbours on both sides go to the list
  subscriber u {"ring": ["11", "x"]}
    takes Introduce {"claim": ["0", "v"], "flag": "CYC"}
      has {"left": ["0", "v"], "right": ["11", "x"], "ring": null}

a check with the right label is believed
  subscriber u {"right": ["011", "v"]}
    takes Check {"sender": ["1", "v"], "label": "01", "flag": "LIN"}
      has {"right": ["1", "v"]}

a check with a wrong label is told the right one
  subscriber u {}
    takes Check {"sender": ["1", "v"], "label": "001", "flag": "CYC"}
      sends v Present {"claim": ["01", "u"], "flag": "CYC"}

a check without a label is answered with removal
  subscriber u {"label": null}
    takes Check {"sender": ["1", "v"], "label": "01", "flag": "LIN"}
      sends v RemoveConnections {"node": "u"}

a probe is answered with the own label
  subscriber u {}
    takes Probe {"sender": "v", "flag": "CYC"}
      sends v Present {"claim": ["01", "u"], "flag": "CYC"}
  subscriber u {"label": null}
    takes Probe {"sender": "v", "flag": "CYC"}
      sends v RemoveConnections {"node": "u"}

neither check nor probe of oneself does anything
  subscriber u {}
    takes Probe {"sender": "u", "flag": "LIN"}
  subscriber u {}
    takes Check {"sender": ["1", "u"], "label": "001", "flag": "LIN"}
  subscriber u {"label": null}
    takes Probe {"sender": "u", "flag": "LIN"}
  subscriber u {"label": null}
    takes Check {"sender": ["1", "u"], "label": "001", "flag": "LIN"}

a node is removed wherever it is stored
  subscriber u {"left": ["0", "v"], "right": ["1", "v"], "ring": ["11", "v"], "shortcuts": [["0", "v"], ["1", "w"]]}
    takes RemoveConnections {"node": "v"}
      has {"left": null, "right": null, "ring": null, "shortcuts": [["0", null], ["1", "w"]]}
