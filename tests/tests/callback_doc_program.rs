//! The axum program of docs/callbacks.md, unchanged, called by the sandbox while its keys rotate.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, unreachable_pub)]

use cpaas_tests::key_rotation::{Page, rotate};

#[path = "../doc_programs/axum.rs"]
mod page;

const DOCUMENT: &str = include_str!("../../docs/callbacks.md");

/// The server. The test below starts this binary again in a separate process.
#[test]
#[ignore = "runs until it is ended"]
fn serve() {
    page::main().unwrap();
}

#[test]
fn the_program_is_identical_to_the_page() {
    let (_, section) = DOCUMENT.split_once("### axum").unwrap();
    let (_, program) = section.split_once("```rust,no_run\n").unwrap();
    let (program, _) = program.split_once("```").unwrap();
    let ours = include_str!("../doc_programs/axum.rs");
    let ours = ours.replace("pub(crate) async fn main", "async fn main");
    assert_eq!(ours, program, "tests/doc_programs/axum.rs differs from docs/callbacks.md");
}

#[test]
fn keys_rotate_while_the_sandbox_keeps_sending() {
    let folder = std::env::temp_dir().join(format!("cpaas-page-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let this = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    let program = [&this, "--ignored", "--exact", "serve", "--nocapture"].map(str::to_owned).to_vec();
    let tally = rotate(&Page { program, sender: None }, &folder).unwrap();
    assert!(tally.accepted > 40, "{tally:?}");
    assert_eq!(tally.refused, 3);
    std::fs::remove_dir_all(&folder).unwrap();
}
