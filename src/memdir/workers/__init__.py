"""Background agents: a gate, a loop under a tool policy, a checked result."""
