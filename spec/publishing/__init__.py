"""Publications, and the tries and summaries by which nodes compare them."""
