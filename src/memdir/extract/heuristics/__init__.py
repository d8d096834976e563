"""Extraction by rules, with no model."""
