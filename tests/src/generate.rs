//! Generators of committed files: what they write comes from the list of operations alone.

pub mod names;
pub mod openapi;
pub mod problems;
pub mod python;
pub mod schema;
pub mod typescript;

use std::path::{Path, PathBuf};

/// The root of the workspace.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Compares generated files with the committed ones; with `UPDATE=1` in the environment it writes them.
///
/// # Errors
/// The names of the stale files, and how to mend them.
pub fn compare(files: &[(String, String)]) -> Result<(), String> {
    let update = std::env::var_os("UPDATE").is_some();
    let mut stale = Vec::new();
    for (name, text) in files {
        let path = root().join(name);
        if std::fs::read_to_string(&path).is_ok_and(|committed| committed == *text) {
            continue;
        }
        if update {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(|error| format!("{name}: {error}"))?;
            }
            std::fs::write(&path, text).map_err(|error| format!("{name}: {error}"))?;
        } else {
            stale.push(name.as_str());
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("stale: {}; UPDATE=1 cargo test -p cpaas-tests rewrites them", stale.join(", ")))
}
