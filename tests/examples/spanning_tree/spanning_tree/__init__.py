"""The protocol spanning_tree."""
