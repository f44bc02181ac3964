"""The gate of a user's project: run the legs that its pyproject.toml asks for; no leg succeeds by accident."""
