"""Reliability shown in real processes: small samples in the default run, every figure in `make reliability`."""
