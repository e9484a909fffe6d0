"""The sandbox, for tests."""
