"""The first pipeline: the distinct values and local steps of a pack, spelled out and judged, each once."""
