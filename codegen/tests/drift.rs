//! The committed files are equal to the files that the generators write.
#![allow(clippy::unwrap_used)]

#[test]
fn generated_files_are_up_to_date() {
    let stale: Vec<String> =
        codegen::stale(codegen::files().unwrap()).into_iter().map(|(name, _)| name).collect();
    assert!(stale.is_empty(), "stale: {}; run `{}`", stale.join(", "), codegen::COMMAND);
}

#[test]
fn the_first_line_of_a_generated_file_names_its_generator() {
    let files = codegen::files().unwrap();
    let named: Vec<&str> = files
        .iter()
        .filter_map(|(_, text)| text.lines().next()?.split_once("codegen/src/"))
        .filter_map(|(_, rest)| rest.split([' ', '`']).next())
        .collect();
    assert!(named.len() > 20);
    for path in named {
        assert!(codegen::root().join("codegen/src").join(path).is_file(), "codegen/src/{path}");
    }
}
