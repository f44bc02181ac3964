"""Questions to a model: claims, bounds, schedulers, rounds."""
