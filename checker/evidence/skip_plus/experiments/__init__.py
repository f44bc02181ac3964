"""The runs behind the claims on Skip+: graphs, starts, and runs round by round."""
