"""The first pipeline: decode and judge the distinct values and local steps of a pack, each once."""
