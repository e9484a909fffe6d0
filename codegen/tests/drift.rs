//! The committed files are equal to the files that the generators write.
#![allow(clippy::unwrap_used)]

#[test]
fn generated_files_are_up_to_date() {
    let stale: Vec<String> =
        codegen::stale(codegen::files().unwrap()).into_iter().map(|(name, _)| name).collect();
    assert!(stale.is_empty(), "stale: {}; run `{}`", stale.join(", "), codegen::COMMAND);
}
