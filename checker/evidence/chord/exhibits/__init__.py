"""What the claims of Chord are made of: the published rules, event by event, and runs of ours, message by message."""
