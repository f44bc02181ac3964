"""The implemented protocols, one folder each."""
