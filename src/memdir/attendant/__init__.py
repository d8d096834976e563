"""Attends the conversations of hosts: what each is told, and what is done for it, event by event."""
