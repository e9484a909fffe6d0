"""Modules that `./x generate` writes, as it writes the public modules `cpaas.models` and `cpaas.types`."""
