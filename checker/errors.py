"""What can go wrong in the checker that is not a finding: findings are values (verdicts), these are exceptions."""


class UsageError(Exception):
    """The caller's fault: one exact sentence that says what to do; the command line exits with code 2."""


class SparkJobError(Exception):
    """A job failed: the text is that of the worker's or of Java's exception, which is gone with the session."""
