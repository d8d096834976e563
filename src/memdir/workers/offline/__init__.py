"""What the background jobs do with no model: rules over a person's own sentences."""
