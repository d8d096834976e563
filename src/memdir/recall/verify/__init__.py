"""What memories claim about the project, checked against the working tree and git, without a model."""
