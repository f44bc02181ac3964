"""Terms of z3 for Chord: places on the circle, lists, and whole rings."""
