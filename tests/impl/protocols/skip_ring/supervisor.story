all {"implementation": "skip_ring", "parameters": {}}
base supervisor {"database": [["0", "a"], ["01", "c"], ["1", "b"], ["11", "d"]], "next": 0}

the first subscriber has no neighbours
  supervisor supervisor {"database": []}
    takes Subscribe {"subscriber": "a"}
      sends a SetData {"pred": null, "label": "0", "succ": null}
      has {"database": [["0", "a"]]}

of two each is both neighbours of the other
  supervisor supervisor {"database": [["0", "a"]]}
    takes Subscribe {"subscriber": "b"}
      sends b SetData {"pred": ["0", "a"], "label": "1", "succ": ["0", "a"]}
      has {"database": [["0", "a"], ["1", "b"]]}

a new subscriber gets the next label
  supervisor supervisor {}
    takes Subscribe {"subscriber": "e"}
      sends e SetData {"pred": ["0", "a"], "label": "001", "succ": ["01", "c"]}
      has {"database": [["0", "a"], ["001", "e"], ["01", "c"], ["1", "b"], ["11", "d"]]}

a known subscriber is told its configuration again
  supervisor supervisor {}
    takes Subscribe {"subscriber": "d"}
      sends d SetData {"pred": ["1", "b"], "label": "11", "succ": ["0", "a"]}

a request does not integrate an unknown node
  supervisor supervisor {}
    takes GetConfiguration {"subscriber": "x"}
      sends x SetData {"pred": null, "label": null, "succ": null}
    takes GetConfiguration {"subscriber": "b"}
      sends b SetData {"pred": ["01", "c"], "label": "1", "succ": ["11", "d"]}

a node that has the last label takes over that of one that leaves
  supervisor supervisor {}
    takes Unsubscribe {"subscriber": "a"}
      sends d SetData {"pred": ["1", "b"], "label": "0", "succ": ["01", "c"]}
      sends a SetData {"pred": null, "label": null, "succ": null}
      has {"database": [["0", "d"], ["01", "c"], ["1", "b"]]}

no node moves when the last one leaves
  supervisor supervisor {}
    takes Unsubscribe {"subscriber": "d"}
      sends d SetData {"pred": null, "label": null, "succ": null}
      has {"database": [["0", "a"], ["01", "c"], ["1", "b"]]}

the configuration is that after the change
  supervisor supervisor {"database": [["0", "a"], ["1", "b"]]}
    takes Unsubscribe {"subscriber": "a"}
      sends b SetData {"pred": null, "label": "0", "succ": null}
      sends a SetData {"pred": null, "label": null, "succ": null}
      has {"database": [["0", "b"]]}

an unknown node may leave too
  supervisor supervisor {}
    takes Unsubscribe {"subscriber": "x"}
      sends x SetData {"pred": null, "label": null, "succ": null}

every request is served from a repaired database
  supervisor supervisor {"database": [["0", null], ["1", "b"], ["11", "b"], ["111", "c"]]}
    takes Subscribe {"subscriber": "c"}
      sends c SetData {"pred": ["1", "b"], "label": "0", "succ": ["1", "b"]}
      has {"database": [["0", "c"], ["1", "b"]]}
  supervisor supervisor {"database": [["0", null], ["1", "b"], ["11", "b"], ["111", "c"]]}
    takes GetConfiguration {"subscriber": "c"}
      sends c SetData {"pred": ["1", "b"], "label": "0", "succ": ["1", "b"]}
      has {"database": [["0", "c"], ["1", "b"]]}
  supervisor supervisor {"database": [["0", null], ["1", "b"], ["11", "b"], ["111", "c"]]}
    takes Unsubscribe {"subscriber": "x"}
      sends x SetData {"pred": null, "label": null, "succ": null}
      has {"database": [["0", "c"], ["1", "b"]]}

timeouts go round all subscribers
  supervisor supervisor {"next": 2}
    times out
      sends d SetData {"pred": ["1", "b"], "label": "11", "succ": ["0", "a"]}
      has {"next": 3}
    times out
      sends a SetData {"pred": ["11", "d"], "label": "0", "succ": ["01", "c"]}
      has {"next": 0}
    times out
      sends b SetData {"pred": ["01", "c"], "label": "1", "succ": ["11", "d"]}
      has {"next": 1}
    times out
      sends c SetData {"pred": ["0", "a"], "label": "01", "succ": ["1", "b"]}
      has {"next": 2}
    times out
      sends d SetData {"pred": ["1", "b"], "label": "11", "succ": ["0", "a"]}
      has {"next": 3}

next may be far too large
  supervisor supervisor {"next": 4001}
    times out
      sends c SetData {"pred": ["0", "a"], "label": "01", "succ": ["1", "b"]}
      has {"next": 2}

an empty database leaves next alone
  supervisor supervisor {"database": [["0", null]], "next": 7}
    times out
      has {"database": []}

messages for subscribers have no effect not even a repair
  supervisor supervisor {"database": [["0", null], ["11", "a"]]}
    takes SetData {"pred": null, "label": null, "succ": null}
  supervisor supervisor {"database": [["0", null], ["11", "a"]]}
    takes Check {"sender": ["0", "a"], "label": "1", "flag": "LIN"}
  supervisor supervisor {"database": [["0", null], ["11", "a"]]}
    takes Introduce {"claim": ["0", "a"], "flag": "LIN"}
  supervisor supervisor {"database": [["0", null], ["11", "a"]]}
    takes Present {"claim": ["0", "a"], "flag": "LIN"}
  supervisor supervisor {"database": [["0", null], ["11", "a"]]}
    takes Probe {"sender": "a", "flag": "LIN"}
  supervisor supervisor {"database": [["0", null], ["11", "a"]]}
    takes Linearize {"claim": ["0", "a"]}
  supervisor supervisor {"database": [["0", null], ["11", "a"]]}
    takes RemoveConnections {"node": "a"}
  supervisor supervisor {"database": [["0", null], ["11", "a"]]}
    takes IntroduceShortcut {"claim": ["0", "a"]}

the supervisor takes no command of a subscriber
  supervisor supervisor {"database": []}
    obeys Subscribe
      fails The supervisor of the skip ring takes no command 'Subscribe'.
  supervisor supervisor {"database": []}
    obeys Unsubscribe
      fails The supervisor of the skip ring takes no command 'Unsubscribe'.
  supervisor supervisor {"database": []}
    obeys Publish {"number": 0, "payload": ""}
      fails The supervisor of the skip ring takes no command 'Publish'.
  supervisor supervisor {"database": []}
    obeys Crash
      fails The supervisor of the skip ring takes no command 'Crash'.
  supervisor supervisor {"database": []}
    obeys Restart {"keep": true}
      fails The supervisor of the skip ring takes no command 'Restart'.

a suspect is let go as if it had asked for it
  supervisor supervisor {}
    obeys Suspect {"node": "a"}
      sends d SetData {"pred": ["1", "b"], "label": "0", "succ": ["01", "c"]}
      sends a SetData {"pred": null, "label": null, "succ": null}
      has {"database": [["0", "d"], ["01", "c"], ["1", "b"]], "suspects": ["a"]}
  supervisor supervisor {}
    takes Unsubscribe {"subscriber": "a"}
      sends d SetData {"pred": ["1", "b"], "label": "0", "succ": ["01", "c"]}
      sends a SetData {"pred": null, "label": null, "succ": null}
      has {"database": [["0", "d"], ["01", "c"], ["1", "b"]]}

an unknown node may be suspected too and one may be suspected twice
  supervisor supervisor {}
    obeys Suspect {"node": "x"}
      sends x SetData {"pred": null, "label": null, "succ": null}
      has {"suspects": ["x"]}
    obeys Suspect {"node": "x"}
      sends x SetData {"pred": null, "label": null, "succ": null}
    obeys Suspect {"node": "d"}
      sends d SetData {"pred": null, "label": null, "succ": null}
      has {"database": [["0", "a"], ["01", "c"], ["1", "b"]], "suspects": ["d", "x"]}

a suspect is not recorded
  supervisor supervisor {"suspects": ["x"]}
    takes Subscribe {"subscriber": "x"}
      sends x SetData {"pred": null, "label": null, "succ": null}

a node that is trusted again may subscribe and nothing else changes
  supervisor supervisor {"suspects": ["x", "y"]}
    obeys Trust {"node": "x"}
      has {"suspects": ["y"]}
    takes Subscribe {"subscriber": "x"}
      sends x SetData {"pred": ["0", "a"], "label": "001", "succ": ["01", "c"]}
      has {"database": [["0", "a"], ["001", "x"], ["01", "c"], ["1", "b"], ["11", "d"]]}

without suspects they are not written
  supervisor supervisor {"suspects": ["x"]}
    obeys Trust {"node": "x"}
      has no suspects

a node that is told of a suspect is told to forget it
  supervisor supervisor {"suspects": ["x"]}
    takes GetConfiguration {"subscriber": "x"}
      sends x SetData {"pred": null, "label": null, "succ": null}
      sends a RemoveConnections {"node": "x"}
      sends c RemoveConnections {"node": "x"}
      sends b RemoveConnections {"node": "x"}
      sends d RemoveConnections {"node": "x"}

a suspect that is recorded is removed before anything is served
  supervisor supervisor {"database": [["0", "a"], ["01", "c"], ["1", "b"]], "suspects": ["a"]}
    takes Subscribe {"subscriber": "c"}
      sends c SetData {"pred": ["1", "b"], "label": "0", "succ": ["1", "b"]}
      has {"database": [["0", "c"], ["1", "b"]]}
  supervisor supervisor {"database": [["0", "a"], ["01", "c"], ["1", "b"]], "suspects": ["a"]}
    takes GetConfiguration {"subscriber": "c"}
      sends c SetData {"pred": ["1", "b"], "label": "0", "succ": ["1", "b"]}
      has {"database": [["0", "c"], ["1", "b"]]}
  supervisor supervisor {"database": [["0", "a"], ["01", "c"], ["1", "b"]], "suspects": ["a"]}
    times out
      sends b SetData {"pred": ["0", "c"], "label": "1", "succ": ["0", "c"]}
      has {"database": [["0", "c"], ["1", "b"]], "next": 1}

trust repairs nothing
  supervisor supervisor {"database": [["0", null], ["11", "a"]], "suspects": ["b"]}
    obeys Trust {"node": "b"}
      has no suspects

a supervisor starts again from any database and still suspects
  supervisor supervisor {"next": 3, "suspects": ["a"]}
    obeys Restore {"database": [["0", null], ["11", "a"], ["111", "b"]]}
      has {"database": [["0", null], ["11", "a"], ["111", "b"]], "next": 0}
    times out
      sends b SetData {"pred": null, "label": "0", "succ": null}
      has {"database": [["0", "b"]]}

a request about the supervisor itself is refused
  supervisor supervisor {"database": [["0", "a"], ["01", "b"]]}
    takes Subscribe {"subscriber": "supervisor"}
  supervisor supervisor {"database": [["0", "a"], ["01", "b"]]}
    takes Unsubscribe {"subscriber": "supervisor"}
  supervisor supervisor {"database": [["0", "a"], ["01", "b"]]}
    takes GetConfiguration {"subscriber": "supervisor"}

a tuple that names the supervisor goes
  supervisor supervisor {"database": [["0", "supervisor"], ["1", "a"]]}
    takes Subscribe {"subscriber": "b"}
      sends b SetData {"pred": ["0", "a"], "label": "1", "succ": ["0", "a"]}
      has {"database": [["0", "a"], ["1", "b"]]}

the failure detector cannot tell of the supervisor
  supervisor supervisor {"database": [["0", "a"], ["01", "b"]]}
    obeys Suspect {"node": "supervisor"}
  supervisor supervisor {"database": [["0", "a"], ["01", "b"]]}
    obeys Trust {"node": "supervisor"}
