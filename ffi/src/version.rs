//! The version of the library and of its binary interface.

use std::ffi::c_char;

/// Returns the version of the loaded library, such as `0.1.0`; `CPAAS_VERSION` is the version of the header. The
/// string is static: never free it.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the version of the loaded library as a number: major * 10000 + minor * 100 + patch. `CPAAS_VERSION_NUMBER` is
/// the number of the header's version.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_version_number() -> u32 {
    const PARTS: [u32; 3] = [
        number(env!("CARGO_PKG_VERSION_MAJOR")),
        number(env!("CARGO_PKG_VERSION_MINOR")),
        number(env!("CARGO_PKG_VERSION_PATCH")),
    ];
    let [major, minor, patch] = PARTS;
    major * 10_000 + minor * 100 + patch
}

/// Returns the version of the binary interface. A program works with every library whose number equals the
/// `CPAAS_ABI_VERSION` of its header. The number follows the SONAME: the minor version until 1.0, then major * 100.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_abi_version() -> u32 {
    const MAJOR: u32 = number(env!("CARGO_PKG_VERSION_MAJOR"));
    const MINOR: u32 = number(env!("CARGO_PKG_VERSION_MINOR"));
    if MAJOR == 0 { MINOR } else { MAJOR * 100 }
}

/// Parses a decimal number at compile time.
const fn number(text: &str) -> u32 {
    match u32::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => 0,
    }
}
