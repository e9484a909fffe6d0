//! Keeps the shared library mapped after dlclose, and sets its SONAME: `libcpaas.so.0.<minor>` until 1.0. The library without HTTP is
//! `libcpaas-core.so.0.<minor>`, so that it never replaces the library with HTTP.
fn main() {
    let part = |name: &str| std::env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    let (major, minor) = (part("MAJOR"), part("MINOR"));
    let abi = if major == "0" { format!("0.{minor}") } else { major };
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        let name = if std::env::var_os("CARGO_FEATURE_HTTP").is_some() { "cpaas" } else { "cpaas-core" };
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,lib{name}.so.{abi}");
        // The handlers of `fork`, thread-local destructors and threads that still run need the code after a dlclose.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
