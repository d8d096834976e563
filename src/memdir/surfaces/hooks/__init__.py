"""What a host calls at each event: a guard that mostly says nothing, and the answers behind it."""
