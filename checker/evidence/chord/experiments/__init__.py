"""The runs behind the claims on Chord: the published rules, event by event, and runs of ours, message by message."""
