"""Adapters: memory in the form that an SDK expects."""
