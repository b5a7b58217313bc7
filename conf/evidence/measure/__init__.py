"""Measuring: running the examples on a GPU, each process on its own, and making records of it."""
