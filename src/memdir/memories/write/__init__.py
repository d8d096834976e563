"""What a save or another change writes, worked out under the lock."""
