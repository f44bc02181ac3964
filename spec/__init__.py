"""What each protocol is: executable small-step specifications and the predicates that they promise."""
