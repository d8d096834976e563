"""Statements that contradict each other, judged without a model."""
