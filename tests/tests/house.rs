//! The rules of the house that a program can check: who knows whom, how long files are, what no file names.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

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
    let of_the_house: BTreeSet<_> =
        packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    packages
        .iter()
        .map(|package| {
            let known = package["dependencies"]
                .as_array()
                .unwrap()
                .iter()
                .map(|dependency| dependency["name"].as_str().unwrap())
                .filter(|name| of_the_house.contains(name))
                .map(str::to_owned)
                .collect();
            (package["name"].as_str().unwrap().to_owned(), known)
        })
        .collect()
}

#[test]
fn each_crate_knows_only_what_it_may() {
    let known = dependencies();
    let only = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(known["cpaas"], only(&[]));
    assert_eq!(known["cpaas-ffi"], only(&["cpaas"]));
    assert_eq!(known["cpaas-wasm"], only(&["cpaas"]));
    assert_eq!(known["cpaas-sandbox"], only(&["cpaas"]));
    assert_eq!(known["cpaas-python"], only(&["cpaas", "cpaas-sandbox"]));
    assert_eq!(known.len(), 6, "a new crate: say here what it may know");
}

#[test]
fn the_browser_module_has_no_network() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "-p", "cpaas-wasm", "--offline", "-e", "normal", "--prefix", "none", "--target"])
        .arg("wasm32-unknown-unknown")
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
        "wasm-bindgen",
    ] {
        assert!(!tree.contains(forbidden), "{forbidden} is in the browser module");
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

/// Files that a generator writes.
fn is_generated(path: &Path) -> bool {
    let text = std::fs::read_to_string(root().join(path)).unwrap_or_default();
    text.lines().take(20).any(|line| line.to_ascii_lowercase().contains("generated"))
}

#[test]
fn files_stay_under_four_hundred_lines() {
    let long: Vec<_> = sources()
        .into_iter()
        .filter(|path| !is_generated(path))
        .filter_map(|path| {
            let lines = std::fs::read_to_string(root().join(&path)).unwrap_or_default().lines().count();
            (lines > 400).then(|| format!("{} ({lines})", path.display()))
        })
        .collect();
    assert!(long.is_empty(), "over 400 lines: {long:?}");
}

#[test]
fn nothing_is_left_open() {
    let marks = ["TO", "DO"].concat();
    let open: Vec<_> = sources()
        .into_iter()
        .filter(|path| !path.ends_with("house.rs"))
        .filter(|path| {
            let text = std::fs::read_to_string(root().join(path)).unwrap_or_default();
            [marks.as_str(), "FIXME", "unimplemented!(", "todo!("].iter().any(|mark| text.contains(mark))
        })
        .collect();
    assert!(open.is_empty(), "{open:?}");
}
