"""Commands about the hub: a node, and what administrators do."""
