"""What a memory offers besides its everyday verbs: one module a handle, named as on `Memory`."""
