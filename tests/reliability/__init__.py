"""Reliability shown in real processes: samples in the default run, all figures in `make reliability`."""
