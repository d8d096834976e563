"""Values and rules: no I/O, no clock, no environment."""
