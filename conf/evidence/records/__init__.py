"""Records: what one measuring of one example on one builder gave."""
