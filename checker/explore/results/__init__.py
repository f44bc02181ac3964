"""Results of an exploration: findings, saved traces, reports."""
