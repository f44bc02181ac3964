"""Every state and every schedule of a finite model: a plain explorer over values, and one over tables of integers."""
