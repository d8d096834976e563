"""The hub: spaces of many agents, machines and people in PostgreSQL, served over HTTP by many nodes."""
