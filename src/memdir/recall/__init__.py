"""The read side: rank memories for a query, choose a few, show them, and check what they claim."""
