"""`send_many` and `send_once`."""
