//! The committed files are equal to the files that the generators write.
#![allow(clippy::unwrap_used)]

use std::sync::LazyLock;

/// Generated once, because that takes seconds.
static FILES: LazyLock<Vec<codegen::File>> = LazyLock::new(|| codegen::files().unwrap());

#[test]
fn generated_files_are_up_to_date() {
    let stale: Vec<String> = codegen::stale(FILES.clone()).into_iter().map(|(name, _)| name).collect();
    assert!(stale.is_empty(), "stale: {}; run `{}`", stale.join(", "), codegen::COMMAND);
}

#[test]
fn the_first_line_of_a_generated_file_names_its_generator() {
    let named: Vec<&str> = FILES
        .iter()
        .filter_map(|(_, text)| text.lines().next()?.split_once("codegen/src/"))
        .filter_map(|(_, rest)| rest.split([' ', '`']).next())
        .collect();
    assert!(named.len() > 20);
    for path in named {
        assert!(codegen::root().join("codegen/src").join(path).is_file(), "codegen/src/{path}");
    }
}
