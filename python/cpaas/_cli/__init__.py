"""The command `cpaas`."""
