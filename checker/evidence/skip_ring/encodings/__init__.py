"""Parts of the skip ring's specification as terms of z3, which lemmas state things about."""
