"""What the claims of Skip+ are made of: graphs, starts, and runs round by round."""
