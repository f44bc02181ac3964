"""The gate of a user's project: run the stages that its pyproject.toml asks for; no stage succeeds by accident."""
