"""What people and hosts touch: parse, one call of `Memory`, print."""
