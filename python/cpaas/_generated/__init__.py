"""Modules that `cargo run -p codegen` writes."""
