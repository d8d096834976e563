"""Scripts that train the weights which memdir ships; they need PyTorch, the package itself does not."""
