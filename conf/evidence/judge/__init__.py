"""Judging: what a claim is, and whether what was measured bears it out."""
