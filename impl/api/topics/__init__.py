"""What the application of a node asks for in topics: an idea a file."""
