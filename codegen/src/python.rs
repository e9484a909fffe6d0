//! The generated modules of the Python package.

mod arguments;
mod class_names;
pub(crate) mod literals;
mod metadata;
mod methods;
mod models;
mod names;
mod operations;
mod sandbox_switches;
pub(crate) mod settings;
mod typed_dicts;

use crate::head;

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let names = class_names::ClassNames::collect();
    let operations = "the list of operations and their models";
    [
        ("_generated/metadata.py", operations, metadata::module(&names)),
        (
            "_generated/names.py",
            "the enums and tables that `codegen/src/python/names.rs` lists",
            names::module(),
        ),
        (
            "_generated/sandbox_switches.py",
            "the switches in `sandbox/src/options.rs`",
            sandbox_switches::module(),
        ),
        ("_generated/settings.py", "the settings in `core/src/config.rs`", settings::module()),
        ("_generated/operations.py", operations, operations::module(&names, false)),
        ("_generated/async_operations.py", operations, operations::module(&names, true)),
        ("models.py", "the models of results", models::module(&names)),
        (
            "types.py",
            "the models of requests, and the names in `_generated/names.py`",
            typed_dicts::module(&names),
        ),
    ]
    .into_iter()
    .map(|(name, source, text)| (format!("python/cpaas/{name}"), format!("{}{text}", head("#", source))))
    .collect()
}
