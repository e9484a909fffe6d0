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

const HEAD: &str = "# Generated from the list of operations: `cargo run -p codegen` rewrites it.\n";

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let names = class_names::ClassNames::collect();
    [
        ("_generated/metadata.py", metadata::module(&names)),
        ("_generated/names.py", names::module()),
        ("_generated/sandbox_switches.py", sandbox_switches::module()),
        ("_generated/settings.py", settings::module()),
        ("_generated/operations.py", operations::module(&names, false)),
        ("_generated/async_operations.py", operations::module(&names, true)),
        ("models.py", models::module(&names)),
        ("types.py", typed_dicts::module(&names)),
    ]
    .into_iter()
    .map(|(name, text)| (format!("python/cpaas/{name}"), format!("{HEAD}{text}")))
    .collect()
}
