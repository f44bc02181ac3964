"""What is known of Skip+, and of the slides on it."""
