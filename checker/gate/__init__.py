"""The gate of a user's project: what its pyproject.toml asks for is run, leg by leg; nothing is green by accident."""
