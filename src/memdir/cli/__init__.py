"""The command line: parse, one call of `Memory`, print."""
