//! An operation is declared once: in one file (or in the file of its group), with one line in `operations.rs`, vectors, and a handler
//! in the sandbox. No other source of a library names an operation.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use cpaas::OperationId;
use cpaas::schema::Location;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn ids() -> impl Iterator<Item = &'static str> {
    OperationId::ALL.iter().map(|operation| operation.meta().id)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn each_operation_is_declared_once_in_one_file() {
    let output =
        Command::new("git").args(["ls-files", "core/src/operations"]).current_dir(root()).output().unwrap();
    let listed = String::from_utf8(output.stdout).unwrap();
    let files: Vec<String> = listed.lines().filter(|path| root().join(path).exists()).map(read).collect();
    for id in ids() {
        let declaration = format!("const ID: &'static str = {id:?};");
        let found = files.iter().filter(|source| source.contains(&declaration)).count();
        assert_eq!(found, 1, "{id}");
    }
}

#[test]
fn each_operation_has_vectors() {
    for id in ids() {
        for folder in ["requests", "responses"] {
            assert!(root().join(format!("tests/vectors/{folder}/{id}.json")).exists(), "{folder}: {id}");
        }
    }
}

#[test]
fn each_operation_is_in_the_generated_documents() {
    let document = read("docs/openapi.json");
    let types = read("wasm/js/requests.d.ts");
    for id in ids() {
        assert!(document.contains(&format!("\"operationId\": {id:?}")), "docs/openapi.json: {id}");
        assert!(types.contains(&format!("{id:?}")), "requests.d.ts: {id}");
    }
}

/// `prepare` and `decode_request` are derived from the path template and from the fields' locations.
#[test]
fn the_names_in_the_path_template_are_the_fields_located_in_the_path() {
    for operation in OperationId::ALL {
        let meta = operation.meta();
        let in_path: BTreeSet<&str> =
            meta.path.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
        let fields: BTreeSet<&str> = meta
            .input
            .fields
            .iter()
            .filter(|field| field.location == Location::Path)
            .map(|field| field.wire)
            .collect();
        assert_eq!(in_path, fields, "{}", meta.id);
    }
}

/// Code that names an operation would have to be edited for a new one.
#[test]
fn no_library_lists_operations_by_hand() {
    let output = Command::new("git")
        .args(["ls-files", "core/src", "ffi/src", "python/src", "wasm/src"])
        .current_dir(root())
        .output()
        .unwrap();
    let mut named: Vec<String> = Vec::new();
    for path in String::from_utf8(output.stdout).unwrap().lines() {
        let is_declaration = path.starts_with("core/src/operations/");
        if is_declaration || !path.ends_with(".rs") || !root().join(path).exists() {
            continue;
        }
        let source = read(path);
        // Documentation and tests may name operations.
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        named.extend(ids().filter(|id| code.contains(&format!("{id:?}"))).map(|id| format!("{path}: {id}")));
    }
    assert!(named.is_empty(), "{named:#?}");
}
