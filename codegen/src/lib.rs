//! Generators of the committed files. Their sources are the list of operations, the schemas of the models, the table of
//! problem codes, the vectors and the exports of the C library.
//!
//! `cargo run -p codegen` writes every file; the test `drift` fails when a committed file is stale.

pub mod c_header;
pub mod c_reference;
pub mod grapheme_clusters;
pub mod json_schema;
pub mod object_names;
pub mod openapi;
pub mod problems_page;
pub mod provider_codes;
pub mod python;
pub mod transliteration;
pub mod typescript;

use std::path::{Path, PathBuf};

/// The command that rewrites the generated files.
pub const COMMAND: &str = "cargo run -p codegen";

/// A generated file: its path in the repository and its text.
pub type File = (String, String);

/// The root of the workspace.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every generated file.
///
/// # Errors
/// The C header or the table of transliterations cannot be generated.
pub fn files() -> Result<Vec<File>, String> {
    let mut files = vec![c_header::file()?];
    files.extend(python::files());
    files.extend(typescript::files());
    files.extend(openapi::files());
    files.extend(problems_page::files());
    files.extend(provider_codes::files());
    files.extend(grapheme_clusters::files());
    files.extend(transliteration::files()?);
    files.extend(c_reference::files());
    Ok(files)
}

/// The files whose committed text differs from the generated one.
#[must_use]
pub fn stale(files: Vec<File>) -> Vec<File> {
    files
        .into_iter()
        .filter(|(name, text)| {
            !std::fs::read_to_string(root().join(name)).is_ok_and(|committed| committed == *text)
        })
        .collect()
}
