all {"implementation": "skip_ring.printed_build_ring", "parameters": {}}
base subscriber {"label": "01", "left": null, "right": null, "ring": null, "shortcuts": [], "wants": true}

a node stores itself
  subscriber u {"right": ["1", "r"]}
    takes Introduce {"claim": ["01", "u"], "flag": "LIN"}
      sends u Linearize {"claim": ["1", "r"]}
      has {"left": ["01", "u"], "right": ["01", "u"]}

what it has stored of itself stays
  subscriber u {"left": ["01", "u"]} drawing [0.999]
    times out
      sends u Introduce {"claim": ["01", "u"], "flag": "CYC"}
      sends u Check {"sender": ["01", "u"], "label": "01", "flag": "LIN"}
      tosses silent

the supervisor is none of its subscribers
  subscriber u {"right": ["11", "supervisor"]}
    takes Linearize {"claim": ["1", "supervisor"]}
      has {"right": null}
  subscriber u {"right": ["11", "supervisor"]}
    takes Check {"sender": ["1", "supervisor"], "label": "0", "flag": "LIN"}
      has {"right": null}

the end of the list tells the candidate that it has about itself
  subscriber u {"label": "1", "left": ["0", "l"], "ring": ["0", "l"]}
    takes Check {"sender": ["0", "l"], "label": "1", "flag": "CYC"}
      sends l Introduce {"claim": ["0", "l"], "flag": "LIN"}

the nearer candidate is told to oneself and the farther one hears of itself
  subscriber u {"label": "11", "left": ["1", "l"], "ring": ["0", "far"]}
    takes Present {"claim": ["01", "near"], "flag": "CYC"}
      sends u Introduce {"claim": ["01", "near"], "flag": "LIN"}
      sends far Introduce {"claim": ["0", "far"], "flag": "LIN"}

what a farther candidate replaces is lost
  subscriber u {"label": "11", "left": ["1", "l"], "ring": ["01", "near"]}
    takes Introduce {"claim": ["0", "far"], "flag": "CYC"}
      sends far Introduce {"claim": ["0", "far"], "flag": "LIN"}
      has {"ring": ["0", "far"]}

candidates on two sides are both told to oneself
  subscriber u {"ring": ["0", "a"]}
    takes Introduce {"claim": ["1", "b"], "flag": "CYC"}
      sends u Introduce {"claim": ["1", "b"], "flag": "LIN"}
      sends u Introduce {"claim": ["0", "a"], "flag": "LIN"}
      has {"ring": null}

another label for the candidate is taken on its side and else sent to oneself with its flag
  subscriber u {"ring": ["11", "a"]}
    takes Introduce {"claim": ["1", "a"], "flag": "LIN"}
      has {"right": ["1", "a"], "ring": ["1", "a"]}
  subscriber u {"right": ["1", "r"], "ring": ["11", "a"]}
    takes Introduce {"claim": ["0", "a"], "flag": "CYC"}
      sends u Introduce {"claim": ["0", "a"], "flag": "CYC"}
      sends r Introduce {"claim": ["0", "a"], "flag": "CYC"}
      has {"ring": null}

a candidate is stored at the end and passed on elsewhere and one with the own label goes nowhere
  subscriber u {}
    takes Introduce {"claim": ["1", "a"], "flag": "CYC"}
      has {"ring": ["1", "a"]}
  subscriber u {"left": ["0", "l"]}
    takes Introduce {"claim": ["1", "a"], "flag": "CYC"}
      sends l Introduce {"claim": ["1", "a"], "flag": "CYC"}
  subscriber u {}
    takes Introduce {"claim": ["01", "a"], "flag": "CYC"}

a sender that is wrong about the label is introduced to the right one
  subscriber u {}
    takes Check {"sender": ["1", "a"], "label": "0", "flag": "CYC"}
      sends a Introduce {"claim": ["01", "u"], "flag": "CYC"}

in a timeout an end seeks the other and what is misplaced is sent to oneself
  subscriber u {"right": ["1", "r"]} drawing [0.999]
    times out
      sends r Introduce {"claim": ["01", "u"], "flag": "CYC"}
      sends r Check {"sender": ["01", "u"], "label": "1", "flag": "LIN"}
      tosses silent
  subscriber u {"left": ["1", "l"], "right": ["0", "r"]} drawing [0.999]
    times out
      sends u Linearize {"claim": ["1", "l"]}
      sends u Linearize {"claim": ["0", "r"]}
      tosses silent
      has {"left": null, "right": null}

in a timeout the closing edge is checked passed on or left alone
  subscriber u {"ring": ["1", "a"]} drawing [0.999]
    times out
      sends a Check {"sender": ["01", "u"], "label": "1", "flag": "CYC"}
      tosses silent
  subscriber u {"left": ["0", "l"], "ring": ["1", "a"]} drawing [0.999]
    times out
      sends l Introduce {"claim": ["1", "a"], "flag": "CYC"}
      sends l Check {"sender": ["01", "u"], "label": "0", "flag": "LIN"}
      tosses silent
      has {"ring": null}
  subscriber u {"ring": ["01", "a"]} drawing [0.999]
    times out
      tosses silent

without a label it asks to be left but not by itself when it checks itself
  subscriber u {"label": null}
    takes Linearize {"claim": ["1", "a"]}
      sends a RemoveConnections {"node": "u"}
  subscriber u {"label": null}
    takes Check {"sender": ["1", "u"], "label": "1", "flag": "LIN"}

a shortcut that is oneself is not taken for one
  subscriber u {"shortcuts": [["1", null]]}
    takes IntroduceShortcut {"claim": ["1", "u"]}
