"""Commands about what a model is told."""
