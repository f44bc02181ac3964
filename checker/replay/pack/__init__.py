"""Traces in columns: packs and corpora as `traces/README.md` describes them. Needs pyarrow."""
