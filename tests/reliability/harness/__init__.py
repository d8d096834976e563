"""What the reliability cases share: sandboxes, worker processes, fault injection, checks of what is left."""
