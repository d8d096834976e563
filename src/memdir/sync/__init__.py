"""Memory that is kept in step with a remote: a git repository or a plain folder."""
