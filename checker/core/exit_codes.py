"""The exit codes of verdicts, apart from them: the command line starts without loading the judge."""

HOLDS, VIOLATED, USAGE, UNKNOWN = 0, 1, 2, 3
