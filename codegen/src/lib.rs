//! Generators of the committed files: `cargo run -p codegen` writes every file, and the test `drift` fails when a committed file is stale.
//!
//! | Generator | Declaration | Files |
//! |---|---|---|
//! | `python/` | `core/src/operations.rs`, the models | `_generated/{operations,async_operations,metadata}.py` of the package, `models.py`, `types.py` |
//! | `python/names.rs` | the enums and tables that it lists | `_generated/names.py` |
//! | `python/settings.rs` | `core/src/config.rs` | `_generated/settings.py` |
//! | `python/sandbox_switches.rs` | `sandbox/src/options.rs` | `_generated/sandbox_switches.py` |
//! | `campaign_settings.rs` | `campaign/src/settings.rs`, `codegen/templates/campaign_settings.py.in` | `_generated/campaign_*.py`, `docs/campaign-settings.md` |
//! | `field_descriptions.rs` | the models of requests | `_generated/descriptions.py`, `wasm/composer/field-descriptions.js` |
//! | `provider_codes.rs` | `core/src/provider_codes.rs` | `_generated/provider_codes.py`, `wasm/js/codes.*`, `docs/provider-codes.md` |
//! | `typescript/` | the models of requests | `wasm/js/requests.d.ts`, `wasm/js/schemas.js`, `wasm/schemas/` |
//! | `typescript/{operation_types,result_types}.rs` | `core/src/operations.rs`, the models of results | `wasm/js/operations.*`, `wasm/js/results.*` |
//! | `typescript/setting_types.rs` | `core/src/config.rs` | `wasm/js/settings.*` |
//! | `typescript/closed_names.rs` | the enums and tables that it lists | `wasm/js/names.*` |
//! | `typescript/english_messages.rs` | `core/src/problem/codes.rs`, `tests/vectors/problems` | `wasm/js/english.js` |
//! | `problems_page.rs` | the same | `docs/problems.md` |
//! | `openapi.rs` | `core/src/operations.rs`, the models | `docs/openapi.json`, `sandbox/openapi.json` |
//! | `sandbox_docs.rs` | `docs/sandbox.md`, and the generated pages | `sandbox/docs/` |
//! | `c_header.rs` | `ffi/src`, `ffi/cbindgen.toml` | `include/cpaas.h` |
//! | `c_ffi_header.rs` | `include/cpaas.h` | `include/cpaas_ffi.h` |
//! | `c_reference.rs` | `core/src/operations.rs`, the models, `core/src/config.rs`, `ffi/src/status.rs` | `docs/c-reference.md` |
//! | `grapheme_clusters.rs` | the crate `unicode-segmentation` | `core/src/text/cluster_table.rs` |
//! | `lib.rs` | the list of generated files | `.gitattributes` |
//! | `codegen/unicode`, a command of its own | Unicode CLDR, UTS 39 and NFKD | `core/src/text/transliteration_table.rs` |
//! | `codegen/third_party`, a command of its own | `Cargo.lock` | `THIRD-PARTY-LICENSES` and `cpaas.cdx.json` of each artifact |
//!
//! `./x generate` runs the three commands.

pub mod c_ffi_header;
pub mod c_header;
pub mod c_reference;
pub mod campaign_settings;
pub mod field_descriptions;
pub mod grapheme_clusters;
pub mod json_schema;
mod member_names;
pub mod object_names;
pub mod openapi;
pub mod problems_page;
pub mod provider_codes;
pub mod python;
mod result_models;
pub mod sandbox_docs;
pub mod typescript;

use std::path::{Path, PathBuf};

/// The command that rewrites the generated files.
pub const COMMAND: &str = "cargo run -p codegen";

/// A generated file: its path in the repository and its text.
pub type File = (String, String);

/// The first line of a generated file: what declares its contents.
fn head(comment: &str, declaration: &str) -> String {
    format!("{comment} Generated from {declaration}: `{COMMAND}` rewrites it.\n")
}

/// The root of the workspace.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every generated file.
///
/// # Errors
/// The C header cannot be generated.
pub fn files() -> Result<Vec<File>, String> {
    let header = c_header::file()?;
    let mut files = vec![c_ffi_header::file(&header.1)?, header];
    files.extend(python::files());
    files.extend(typescript::files());
    files.extend(openapi::files());
    files.extend(problems_page::files());
    files.extend(provider_codes::files());
    files.extend(sandbox_docs::files()?);
    files.extend(campaign_settings::files());
    files.extend(field_descriptions::files());
    files.extend(grapheme_clusters::files());
    files.extend(c_reference::files());
    let attributes = git_attributes(&files);
    files.push(attributes);
    Ok(files)
}

/// The files that `codegen/third_party` and `codegen/unicode` write.
const OF_OTHER_COMMANDS: [&str; 7] = [
    "core/src/text/transliteration_table.rs",
    "ffi/THIRD-PARTY-LICENSES",
    "ffi/cpaas.cdx.json",
    "python/THIRD-PARTY-LICENSES",
    "python/cpaas.cdx.json",
    "wasm/THIRD-PARTY-LICENSES",
    "wasm/cpaas.cdx.json",
];

/// Marks the generated files, so that reviews and statistics of languages skip them.
fn git_attributes(files: &[File]) -> File {
    let mut paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).chain(OF_OTHER_COMMANDS).collect();
    paths.sort_unstable();
    let lines: String = paths.iter().map(|path| format!("{path} linguist-generated\n")).collect();
    (
        ".gitattributes".to_owned(),
        format!(
            "# Generated by `{COMMAND}`.\n* text=auto eol=lf\n*.png binary\nfuzz/corpus/** -text\n{lines}"
        ),
    )
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
