"""Modules that `cargo run -p codegen` writes, as it writes the public modules `cpaas.models` and `cpaas.types`."""
