"""The pages of the examples: sphinx-gallery's, with recorded results instead of a run."""
