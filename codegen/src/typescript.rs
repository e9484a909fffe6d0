//! The generated files of the npm package: the types of requests, and their JSON Schemas as data.

mod schemas;
mod types;

const HEAD: &str = "// Generated from the list of operations: `cargo run -p codegen` rewrites it.\n";

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let names = super::names::Names::of_requests();
    [("requests.d.ts", types::module(&names)), ("schemas.js", schemas::module(&names))]
        .into_iter()
        .map(|(name, text)| (format!("wasm/js/{name}"), format!("{HEAD}{text}")))
        .collect()
}
