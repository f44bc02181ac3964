all {"implementation": "skip_ring", "parameters": {}}
base supervisor {"database": [["0", "a"], ["01", "b"]], "next": 0}

the supervisor refuses a request about itself
  supervisor supervisor {}
    takes Subscribe {"subscriber": "supervisor"}
    takes Unsubscribe {"subscriber": "supervisor"}
    takes GetConfiguration {"subscriber": "supervisor"}

the failure detector says nothing of the supervisor
  supervisor supervisor {}
    obeys Suspect {"node": "supervisor"}
    obeys Trust {"node": "supervisor"}

commands reach the rules that they name
  supervisor supervisor {"database": [["0", "v1"], ["01", "v3"], ["1", "v2"]]}
    obeys Suspect {"node": "v2"}
      sends v3 SetData {"pred": ["0", "v1"], "label": "1", "succ": ["0", "v1"]}
      sends v2 SetData {"pred": null, "label": null, "succ": null}
      has {"database": [["0", "v1"], ["1", "v3"]], "suspects": ["v2"]}
  supervisor supervisor {"database": [["0", "v1"], ["01", "v3"], ["1", "v2"]]}
    obeys Trust {"node": "v2"}
    obeys Restore {"database": [["0", "v1"]]}
      has {"database": [["0", "v1"]]}
