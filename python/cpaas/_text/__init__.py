"""Functions about texts that need no network."""
