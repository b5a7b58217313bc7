"""Examples: the scripts that are measured, each with its record or the reason for having none."""
