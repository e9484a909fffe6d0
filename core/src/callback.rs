//! Callbacks.
