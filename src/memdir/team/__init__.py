"""Team memory: a memory directory inside the private one, which everyone on a project shares."""
