"""Machinery of specifications: models, protocols, networks of nodes, explored instances."""
