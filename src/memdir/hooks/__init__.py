"""What hosts start at their events: the entry point, its reply cache, and the answers."""
