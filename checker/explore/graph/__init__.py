"""The plain explorer, for any model: a graph of values, and what is true of it. It is the oracle of the other one."""
