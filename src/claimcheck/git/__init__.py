"""Git: finding it, running it, and reading other people's repositories without trusting them."""
