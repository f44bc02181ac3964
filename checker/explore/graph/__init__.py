"""The plain explorer, for any model: a graph of values, and its properties. It is the oracle of the other explorers."""
