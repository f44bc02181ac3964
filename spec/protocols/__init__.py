"""The specified protocols, one folder each."""
