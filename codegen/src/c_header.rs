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

/// The version as `cpaas_version_number()` returns it.
fn version_number() -> u32 {
    let part = |text: &str| text.parse::<u32>().unwrap_or_default();
    part(env!("CARGO_PKG_VERSION_MAJOR")) * 10_000
        + part(env!("CARGO_PKG_VERSION_MINOR")) * 100
        + part(env!("CARGO_PKG_VERSION_PATCH"))
}

/// The version of the binary interface, as `cpaas_abi_version()` returns it.
fn abi_version() -> u32 {
    match version_number() {
        number @ ..10_000 => number / 100,
        number => number / 10_000 * 100,
    }
}

/// Makes compilers report a status that the program ignores.
const MUST_USE: &str = "
#if defined(__GNUC__) || defined(__clang__)
#define CPAAS_MUST_USE __attribute__((warn_unused_result))
#elif defined(_MSC_VER)
#define CPAAS_MUST_USE _Check_return_
#else
#define CPAAS_MUST_USE
#endif
";

/// Adds the constants that a program compares with `cpaas_version()` and `cpaas_abi_version()`.
fn with_version(header: &str) -> Result<String, String> {
    if !header.contains(LAST_INCLUDE) {
        return Err("include/cpaas.h: the header must include <stdint.h>".to_owned());
    }
    let version = format!(
        "#define CPAAS_VERSION \"{}\"\n#define CPAAS_VERSION_MAJOR {}\n#define CPAAS_VERSION_MINOR {}\n#define CPAAS_VERSION_PATCH {}\n\
         /** major * 10000 + minor * 100 + patch, as `cpaas_version_number` returns it. */\n\
         #define CPAAS_VERSION_NUMBER {}\n\
         /** The binary interface, as `cpaas_abi_version` returns it. */\n#define CPAAS_ABI_VERSION {}\n{MUST_USE}",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
        version_number(),
        abi_version(),
    );
    Ok(header.replacen(LAST_INCLUDE, &format!("{LAST_INCLUDE}\n{version}"), 1))
}
