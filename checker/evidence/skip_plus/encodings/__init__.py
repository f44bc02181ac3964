"""Skip+ as terms of z3."""
