"""What is known of programs: options, values, and those that run code."""
