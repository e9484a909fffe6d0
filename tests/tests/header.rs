//! `include/cpaas.h` is generated from the exports of the library; this test fails when it is stale.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

#[test]
fn the_c_header_is_what_the_exports_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let config = cbindgen::Config::from_file(root.join("ffi/cbindgen.toml")).unwrap();
    let mut bytes = Vec::new();
    cbindgen::Builder::new()
        .with_crate(root.join("ffi"))
        .with_config(config)
        .generate()
        .unwrap()
        .write(&mut bytes);
    let generated = versioned(&String::from_utf8(bytes).unwrap());
    let path = root.join("include/cpaas.h");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(root.join("include")).unwrap();
        std::fs::write(&path, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == generated, "include/cpaas.h is stale: UPDATE=1 cargo test -p cpaas-tests");
}

/// Adds the version that `cpaas_version()` is compared with.
fn versioned(header: &str) -> String {
    let mut parts = env!("CARGO_PKG_VERSION").split('.');
    let mut part = || parts.next().unwrap();
    let (major, minor, patch) = (part(), part(), part());
    let version = format!(
        "#define CPAAS_VERSION \"{major}.{minor}.{patch}\"\n#define CPAAS_VERSION_MAJOR {major}\n#define CPAAS_VERSION_MINOR {minor}\n#define CPAAS_VERSION_PATCH {patch}\n"
    );
    let place = "#include <stdint.h>\n";
    assert!(header.contains(place));
    header.replacen(place, &format!("{place}\n{version}"), 1)
}
