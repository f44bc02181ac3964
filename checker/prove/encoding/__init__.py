"""Parts of the specification as terms of z3, which lemmas state things about."""
