"""Memory of agent types: sub-agents that a host starts by name, each with a directory of its own."""
