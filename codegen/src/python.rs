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
        ("_generated/metadata.py", "metadata.rs", operations, metadata::module(&names)),
        ("_generated/names.py", "names.rs", "the enums and tables that it lists", names::module()),
        (
            "_generated/sandbox_switches.py",
            "sandbox_switches.rs",
            "the switches in `sandbox/src/options.rs`",
            sandbox_switches::module(),
        ),
        ("_generated/settings.py", "settings.rs", "the settings in `core/src/config.rs`", settings::module()),
        ("_generated/operations.py", "operations.rs", operations, operations::module(&names, false)),
        ("_generated/async_operations.py", "operations.rs", operations, operations::module(&names, true)),
        ("models.py", "models.rs", "the models of results", models::module(&names)),
        (
            "types.py",
            "typed_dicts.rs",
            "the models of requests, and the names in `_generated/names.py`",
            typed_dicts::module(&names),
        ),
    ]
    .into_iter()
    .map(|(name, generator, source, text)| {
        let head = head("#", &format!("python/{generator}"), source);
        (format!("python/cpaas/{name}"), head + &text)
    })
    .collect()
}
