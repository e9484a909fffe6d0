//! Callbacks of the provider: receivers, tokens, keyrings and templates.
