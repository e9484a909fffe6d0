"""Campaigns: many messages, each sent at most once."""
