all {"implementation": "skip_ring", "parameters": {}}
base subscriber {"label": "01", "left": null, "right": null, "ring": null, "shortcuts": [], "wants": true}
base supervisor {"database": [["0", "v1"], ["0001", "v9"], ["001", "v5"], ["01", "v3"], ["011", "v6"], ["1", "v2"], ["101", "v7"], ["11", "v4"], ["111", "v8"]], "next": 0}

an introduction is hearsay and a presentation first hand
  subscriber me {"label": "1", "left": ["01", "b"]}
    takes Introduce {"claim": ["001", "b"], "flag": "LIN"}
      sends b Probe {"sender": "me", "flag": "LIN"}
    takes Present {"claim": ["001", "b"], "flag": "LIN"}
      has {"left": ["001", "b"]}

an introduced shortcut is stored as one
  subscriber me {"label": "0", "shortcuts": [["11", null]]}
    takes IntroduceShortcut {"claim": ["11", "c"]}
      has {"shortcuts": [["11", "c"]]}

a right ring sends nothing but checks introductions and configurations
  supervisor supervisor {}
    times out
      sends v2 SetData {"pred": ["011", "v6"], "label": "1", "succ": ["101", "v7"]}
      has {"next": 1}
  subscriber v1 {"label": "0", "right": ["0001", "v9"], "ring": ["111", "v8"], "shortcuts": [["001", "v5"], ["01", "v3"], ["1", "v2"], ["11", "v4"]]} drawing [0.0, 0.6]
    times out
      sends v8 Check {"sender": ["0", "v1"], "label": "111", "flag": "CYC"}
      sends v9 Check {"sender": ["0", "v1"], "label": "0001", "flag": "LIN"}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "v1"}
    times out
      sends v8 Check {"sender": ["0", "v1"], "label": "111", "flag": "CYC"}
      sends v9 Check {"sender": ["0", "v1"], "label": "0001", "flag": "LIN"}
      tosses silent
  subscriber v2 {"label": "1", "left": ["011", "v6"], "right": ["101", "v7"], "shortcuts": [["0", "v1"], ["01", "v3"], ["11", "v4"]]} drawing [0.0, 0.6]
    times out
      sends v6 Check {"sender": ["1", "v2"], "label": "011", "flag": "LIN"}
      sends v7 Check {"sender": ["1", "v2"], "label": "101", "flag": "LIN"}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "v2"}
    times out
      sends v6 Check {"sender": ["1", "v2"], "label": "011", "flag": "LIN"}
      sends v7 Check {"sender": ["1", "v2"], "label": "101", "flag": "LIN"}
      tosses silent
  subscriber v3 {"left": ["001", "v5"], "right": ["011", "v6"], "shortcuts": [["0", "v1"], ["1", "v2"]]} drawing [0.0, 0.3]
    times out
      sends v5 Check {"sender": ["01", "v3"], "label": "001", "flag": "LIN"}
      sends v6 Check {"sender": ["01", "v3"], "label": "011", "flag": "LIN"}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "v3"}
      sends v1 IntroduceShortcut {"claim": ["1", "v2"]}
      sends v2 IntroduceShortcut {"claim": ["0", "v1"]}
    times out
      sends v5 Check {"sender": ["01", "v3"], "label": "001", "flag": "LIN"}
      sends v6 Check {"sender": ["01", "v3"], "label": "011", "flag": "LIN"}
      tosses silent
      sends v1 IntroduceShortcut {"claim": ["1", "v2"]}
      sends v2 IntroduceShortcut {"claim": ["0", "v1"]}
  subscriber v4 {"label": "11", "left": ["101", "v7"], "right": ["111", "v8"], "shortcuts": [["0", "v1"], ["1", "v2"]]} drawing [0.0, 0.3]
    times out
      sends v7 Check {"sender": ["11", "v4"], "label": "101", "flag": "LIN"}
      sends v8 Check {"sender": ["11", "v4"], "label": "111", "flag": "LIN"}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "v4"}
      sends v2 IntroduceShortcut {"claim": ["0", "v1"]}
      sends v1 IntroduceShortcut {"claim": ["1", "v2"]}
    times out
      sends v7 Check {"sender": ["11", "v4"], "label": "101", "flag": "LIN"}
      sends v8 Check {"sender": ["11", "v4"], "label": "111", "flag": "LIN"}
      tosses silent
      sends v2 IntroduceShortcut {"claim": ["0", "v1"]}
      sends v1 IntroduceShortcut {"claim": ["1", "v2"]}
  subscriber v5 {"label": "001", "left": ["0001", "v9"], "right": ["01", "v3"], "shortcuts": [["0", "v1"]]} drawing [0.0, 0.3]
    times out
      sends v9 Check {"sender": ["001", "v5"], "label": "0001", "flag": "LIN"}
      sends v3 Check {"sender": ["001", "v5"], "label": "01", "flag": "LIN"}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "v5"}
      sends v1 IntroduceShortcut {"claim": ["01", "v3"]}
      sends v3 IntroduceShortcut {"claim": ["0", "v1"]}
    times out
      sends v9 Check {"sender": ["001", "v5"], "label": "0001", "flag": "LIN"}
      sends v3 Check {"sender": ["001", "v5"], "label": "01", "flag": "LIN"}
      tosses silent
      sends v1 IntroduceShortcut {"claim": ["01", "v3"]}
      sends v3 IntroduceShortcut {"claim": ["0", "v1"]}
  subscriber v6 {"label": "011", "left": ["01", "v3"], "right": ["1", "v2"]} drawing [0.0, 0.3]
    times out
      sends v3 Check {"sender": ["011", "v6"], "label": "01", "flag": "LIN"}
      sends v2 Check {"sender": ["011", "v6"], "label": "1", "flag": "LIN"}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "v6"}
      sends v3 IntroduceShortcut {"claim": ["1", "v2"]}
      sends v2 IntroduceShortcut {"claim": ["01", "v3"]}
    times out
      sends v3 Check {"sender": ["011", "v6"], "label": "01", "flag": "LIN"}
      sends v2 Check {"sender": ["011", "v6"], "label": "1", "flag": "LIN"}
      tosses silent
      sends v3 IntroduceShortcut {"claim": ["1", "v2"]}
      sends v2 IntroduceShortcut {"claim": ["01", "v3"]}
  subscriber v7 {"label": "101", "left": ["1", "v2"], "right": ["11", "v4"]} drawing [0.0, 0.3]
    times out
      sends v2 Check {"sender": ["101", "v7"], "label": "1", "flag": "LIN"}
      sends v4 Check {"sender": ["101", "v7"], "label": "11", "flag": "LIN"}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "v7"}
      sends v2 IntroduceShortcut {"claim": ["11", "v4"]}
      sends v4 IntroduceShortcut {"claim": ["1", "v2"]}
    times out
      sends v2 Check {"sender": ["101", "v7"], "label": "1", "flag": "LIN"}
      sends v4 Check {"sender": ["101", "v7"], "label": "11", "flag": "LIN"}
      tosses silent
      sends v2 IntroduceShortcut {"claim": ["11", "v4"]}
      sends v4 IntroduceShortcut {"claim": ["1", "v2"]}
  subscriber v8 {"label": "111", "left": ["11", "v4"], "ring": ["0", "v1"]} drawing [0.0, 0.3]
    times out
      sends v1 Check {"sender": ["111", "v8"], "label": "0", "flag": "CYC"}
      sends v4 Check {"sender": ["111", "v8"], "label": "11", "flag": "LIN"}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "v8"}
      sends v4 IntroduceShortcut {"claim": ["0", "v1"]}
      sends v1 IntroduceShortcut {"claim": ["11", "v4"]}
    times out
      sends v1 Check {"sender": ["111", "v8"], "label": "0", "flag": "CYC"}
      sends v4 Check {"sender": ["111", "v8"], "label": "11", "flag": "LIN"}
      tosses silent
      sends v4 IntroduceShortcut {"claim": ["0", "v1"]}
      sends v1 IntroduceShortcut {"claim": ["11", "v4"]}
  subscriber v9 {"label": "0001", "left": ["0", "v1"], "right": ["001", "v5"]} drawing [0.0, 0.3]
    times out
      sends v1 Check {"sender": ["0001", "v9"], "label": "0", "flag": "LIN"}
      sends v5 Check {"sender": ["0001", "v9"], "label": "001", "flag": "LIN"}
      tosses ask
      sends supervisor GetConfiguration {"subscriber": "v9"}
      sends v1 IntroduceShortcut {"claim": ["001", "v5"]}
      sends v5 IntroduceShortcut {"claim": ["0", "v1"]}
    times out
      sends v1 Check {"sender": ["0001", "v9"], "label": "0", "flag": "LIN"}
      sends v5 Check {"sender": ["0001", "v9"], "label": "001", "flag": "LIN"}
      tosses silent
      sends v1 IntroduceShortcut {"claim": ["001", "v5"]}
      sends v5 IntroduceShortcut {"claim": ["0", "v1"]}

no message makes the supervisor a neighbour or is answered to it
  subscriber v3 {"shortcuts": [["1", null]]}
    takes SetData {"pred": ["0", "supervisor"], "label": "01", "succ": ["1", "supervisor"]}
    takes Check {"sender": ["1", "supervisor"], "label": "01", "flag": "LIN"}
    takes Check {"sender": ["1", "supervisor"], "label": "11", "flag": "CYC"}
    takes Introduce {"claim": ["1", "supervisor"], "flag": "CYC"}
    takes Introduce {"claim": ["1", "supervisor"], "flag": "LIN"}
    takes Present {"claim": ["1", "supervisor"], "flag": "LIN"}
    takes Linearize {"claim": ["1", "supervisor"]}
    takes IntroduceShortcut {"claim": ["1", "supervisor"]}
    takes Probe {"sender": "supervisor", "flag": "LIN"}
