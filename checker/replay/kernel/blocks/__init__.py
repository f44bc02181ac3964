"""The second pipeline: blocks of traces, composed of judged steps and counted in columns."""
