"""What is held of the evidence on Chord."""
