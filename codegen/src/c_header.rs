//! `include/cpaas.h`: the exports of the C library, written by cbindgen, and the version.

use crate::{File, root};

/// The include after which the version is inserted.
const LAST_INCLUDE: &str = "#include <stdint.h>\n";

/// The generated file.
///
/// # Errors
/// The configuration or the sources of the library cannot be read.
pub fn file() -> Result<File, String> {
    let config = cbindgen::Config::from_file(root().join("ffi/cbindgen.toml"))?;
    let bindings = cbindgen::Builder::new()
        .with_crate(root().join("ffi"))
        .with_config(config)
        .generate()
        .map_err(|error| format!("include/cpaas.h: {error}"))?;
    let mut bytes = Vec::new();
    bindings.write(&mut bytes);
    let header = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    Ok(("include/cpaas.h".to_owned(), with_version(&header)?))
}

/// Adds the constants that a program compares with `cpaas_version()`.
fn with_version(header: &str) -> Result<String, String> {
    if !header.contains(LAST_INCLUDE) {
        return Err("include/cpaas.h: the header must include <stdint.h>".to_owned());
    }
    let version = format!(
        "#define CPAAS_VERSION \"{}\"\n#define CPAAS_VERSION_MAJOR {}\n#define CPAAS_VERSION_MINOR {}\n#define CPAAS_VERSION_PATCH {}\n",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
    );
    Ok(header.replacen(LAST_INCLUDE, &format!("{LAST_INCLUDE}\n{version}"), 1))
}
