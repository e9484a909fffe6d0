//! The committed files are equal to the files that the generators write, and name their generators.
#![allow(clippy::unwrap_used)]

use codegen::{COMMAND, File, files, root, stale};

/// One test, because the files take seconds.
#[test]
fn generated_files_are_up_to_date_and_name_their_generators() {
    let files = files().unwrap();
    let named: Vec<&str> = files.iter().filter_map(generator).collect();
    assert!(named.len() > 20, "{named:?}");
    for path in named {
        assert!(root().join("codegen/src").join(path).is_file(), "codegen/src/{path}");
    }
    let stale: Vec<String> = stale(files).into_iter().map(|(name, _)| name).collect();
    assert!(stale.is_empty(), "stale: {}; run `{COMMAND}`", stale.join(", "));
}

/// The generator that the first line names.
fn generator((_, text): &File) -> Option<&str> {
    let (_, rest) = text.lines().next()?.split_once("codegen/src/")?;
    rest.split([' ', '`']).next()
}
