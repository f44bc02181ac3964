all {"implementation": "skip_ring.printed_linearize", "parameters": {}}
base subscriber {"label": "01", "left": ["001", "l"], "right": null, "ring": null, "shortcuts": [], "wants": true}

hearsay replaces the label of a neighbour
  subscriber u {}
    takes Linearize {"claim": ["0", "l"]}
      has {"left": ["0", "l"]}
  subscriber u {"left": null, "right": ["011", "r"]}
    takes Linearize {"claim": ["1", "r"]}
      has {"right": ["1", "r"]}

a neighbour with a label of the other side is thrown out and queued to oneself
  subscriber u {"right": ["011", "r"]}
    takes Linearize {"claim": ["1", "l"]}
      sends u Linearize {"claim": ["1", "l"]}
      has {"left": null}
    takes Linearize {"claim": ["0", "r"]}
      sends u Linearize {"claim": ["0", "r"]}
      has {"right": null}

no node is ever probed or asked about
  subscriber u {}
    takes Introduce {"claim": ["001", "v"], "flag": "LIN"}
      sends l Linearize {"claim": ["001", "v"]}
    takes Present {"claim": ["001", "v"], "flag": "LIN"}
      sends l Linearize {"claim": ["001", "v"]}

a stranger is placed as in the list without corrupted labels
  subscriber u {"left": ["0", "l"], "right": ["011", "r"]}
    takes Linearize {"claim": ["001", "v"]}
      sends v Linearize {"claim": ["0", "l"]}
      has {"left": ["001", "v"]}
    takes Linearize {"claim": ["1", "w"]}
      sends r Linearize {"claim": ["1", "w"]}
    takes Linearize {"claim": ["0101", "x"]}
      sends x Linearize {"claim": ["011", "r"]}
      has {"right": ["0101", "x"]}

a stranger with the own label goes to both sides
  subscriber u {"left": ["0", "l"]}
    takes Linearize {"claim": ["01", "v"]}
      sends v Linearize {"claim": ["0", "l"]}
      has {"left": ["01", "v"], "right": ["01", "v"]}

claims about oneself and nodes without a label are treated as in the repair
  subscriber u {"left": null}
    takes Linearize {"claim": ["1", "u"]}
  subscriber u {"label": null, "left": null}
    takes Linearize {"claim": ["1", "v"]}
      sends v RemoveConnections {"node": "u"}
