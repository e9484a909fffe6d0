//! The axum program of docs/callbacks.md runs unchanged and receives callbacks from the sandbox while its keys rotate.

use cpaas_tests::key_rotation::{DocProgram, rotate};

#[path = "../../doc_programs/axum.rs"]
mod program;

const DOCUMENT: &str = include_str!("../../../docs/callbacks.md");

/// Runs the program. The last test of this file starts this one in a separate process.
#[test]
#[ignore = "runs until it is ended"]
fn serve() {
    program::main().unwrap();
}

#[test]
fn the_program_is_identical_to_the_one_in_the_document() {
    let (_, section) = DOCUMENT.split_once("### axum").unwrap();
    let (_, program) = section.split_once("```rust,no_run\n").unwrap();
    let (program, _) = program.split_once("```").unwrap();
    let source = include_str!("../../doc_programs/axum.rs");
    let source = source.replace("pub(crate) async fn main", "async fn main");
    assert_eq!(source, program, "tests/doc_programs/axum.rs differs from docs/callbacks.md");
}

#[test]
fn keys_rotate_while_the_sandbox_keeps_sending() {
    let folder = std::env::temp_dir().join(format!("cpaas-doc-program-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let this = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    let command = [&this, "--ignored", "--exact", "callback_doc_program::serve", "--nocapture"]
        .map(str::to_owned)
        .to_vec();
    let tally = rotate(&DocProgram { command, sender: None }, &folder).unwrap();
    assert!(tally.accepted > 40, "{tally:?}");
    assert_eq!(tally.refused, 3);
    std::fs::remove_dir_all(&folder).unwrap();
}
