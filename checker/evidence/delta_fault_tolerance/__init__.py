"""Results on delta-fault-tolerance, and on its paper."""
