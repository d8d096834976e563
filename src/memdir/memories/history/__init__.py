"""What was changed, by whom, and how to take it back."""
