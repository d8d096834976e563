"""Tests of the hub against a real PostgreSQL."""
