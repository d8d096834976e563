"""Memory in the agent frameworks of others."""
