"""What is known of delta-fault-tolerance, and of the paper on it."""
