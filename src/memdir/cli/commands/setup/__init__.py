"""Commands that set memdir up, or start a part of it."""
