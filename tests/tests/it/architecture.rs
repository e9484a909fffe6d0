//! Rules about the structure of the tree: dependencies between crates, imports between files, and no open tasks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

mod imports;
mod test_files;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let of_the_workspace: BTreeSet<_> =
        packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    packages
        .iter()
        .map(|package| {
            let known = package["dependencies"]
                .as_array()
                .unwrap()
                .iter()
                .map(|dependency| dependency["name"].as_str().unwrap())
                .filter(|name| of_the_workspace.contains(name))
                .map(str::to_owned)
                .collect();
            (package["name"].as_str().unwrap().to_owned(), known)
        })
        .collect()
}

#[test]
fn each_crate_depends_only_on_those_listed() {
    let known = dependencies();
    let only = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    // The examples in the documentation of cpaas call the sandbox; nothing else of cpaas depends on it.
    assert_eq!(known["cpaas"], only(&["cpaas-sandbox"]));
    assert_eq!(known["cpaas-ffi"], only(&["cpaas", "cpaas-host"]));
    assert_eq!(known["cpaas-host"], only(&[]));
    assert_eq!(known["cpaas-wasm"], only(&["cpaas"]));
    assert_eq!(known["cpaas-wasm-sms"], only(&["cpaas"]));
    assert_eq!(known["cpaas-sandbox"], only(&["cpaas"]));
    assert_eq!(known["cpaas-python"], only(&["cpaas", "cpaas-campaign", "cpaas-host", "cpaas-sandbox"]));
    assert_eq!(known["codegen"], only(&["cpaas", "cpaas-campaign", "cpaas-sandbox"]));
    // cpaas-campaign uses the sandbox only in its tests.
    assert_eq!(known["cpaas-campaign"], only(&["cpaas", "cpaas-sandbox"]));
    assert_eq!(known["cpaas-tests"], only(&["cpaas", "cpaas-sandbox"]));
    assert_eq!(known.len(), 10, "add an assertion for the new crate");
}

#[test]
fn the_core_depends_on_no_crate_of_the_workspace() {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "-p",
            "cpaas",
            "--all-features",
            "--offline",
            "-e",
            "normal,build",
            "--prefix",
            "none",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    let tree = String::from_utf8(output.stdout).unwrap();
    let own: Vec<_> = tree.lines().filter(|line| line.starts_with("cpaas")).collect();
    assert!(own.len() == 1 && tree.contains("reqwest"), "{own:?}");
}

#[test]
fn the_browser_module_has_no_network() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "-p", "cpaas-wasm", "--offline", "-e", "normal", "--prefix", "none"])
        // All modules but `cpaas/phone`, as wasm/build compiles them.
        .args(["--no-default-features", "--features", "counting,annotation,tools,validator"])
        .args(["--target", "wasm32-unknown-unknown"])
        .current_dir(root())
        .output()
        .unwrap();
    let tree = String::from_utf8(output.stdout).unwrap();
    assert!(tree.contains("serde_json"));
    for forbidden in [
        "reqwest",
        "tokio",
        "hmac",
        "url v",
        "unicode-normalization",
        "rlibphonenumber",
        "regex",
        "js-sys",
        "web-sys",
    ] {
        assert!(!tree.contains(forbidden), "the browser module must not depend on {forbidden}");
    }
}

fn sources() -> Vec<PathBuf> {
    let output = Command::new("git").args(["ls-files"]).current_dir(root()).output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(PathBuf::from)
        .filter(|path| {
            let name = path.extension().and_then(|name| name.to_str()).unwrap_or_default();
            ["rs", "py", "c", "h", "hpp", "cpp", "js", "mjs", "ts", "css"].contains(&name)
        })
        .collect()
}

#[test]
fn no_file_contains_an_open_task() {
    let marks = ["TO", "DO"].concat();
    let open: Vec<_> = sources()
        .into_iter()
        .filter(|path| !path.ends_with("it/architecture.rs"))
        .filter(|path| {
            let text = std::fs::read_to_string(root().join(path)).unwrap_or_default();
            [marks.as_str(), "FIXME", "unimplemented!(", "todo!("].iter().any(|mark| text.contains(mark))
        })
        .collect();
    assert!(open.is_empty(), "{open:?}");
}

/// The Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The folder of each crate.
const CRATES: &[&str] =
    &["campaign", "codegen", "core", "ffi", "host", "python", "sandbox", "tests", "wasm", "wasm/sms"];

#[test]
fn files_of_a_crate_do_not_import_each_other_in_circles() {
    for name in CRATES {
        let circles = imports::circles(&root().join(name).join("src"));
        assert!(circles.is_empty(), "{name}: {circles:#?}");
    }
}

#[test]
fn a_circle_is_found_and_a_re_export_is_not_a_circle() {
    let src = Path::new(env!("CARGO_TARGET_TMPDIR")).join("circles/src");
    std::fs::create_dir_all(src.join("a")).unwrap();
    for (name, text) in [
        ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
        ("a.rs", "mod one;\nmod two;\npub(crate) use one::One;\npub(crate) use two::Two;\n"),
        ("a/one.rs", "pub(crate) struct One;\n"),
        ("a/two.rs", "use super::One;\npub(crate) struct Two(One);\n"),
        ("b.rs", "use crate::{a::Two, c::C};\npub(crate) struct B(Two, C);\n"),
        ("c.rs", "// use crate::a::One;\npub(crate) struct C(Option<Box<crate::b::B>>);\n"),
    ] {
        std::fs::write(src.join(name), text).unwrap();
    }
    assert_eq!(imports::circles(&src), [[PathBuf::from("b.rs"), PathBuf::from("c.rs")]]);
}
