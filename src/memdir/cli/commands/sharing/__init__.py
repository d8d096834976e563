"""Commands that bring memories elsewhere and back."""
