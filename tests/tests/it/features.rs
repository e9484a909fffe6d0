//! Features of the core are additive: any combination compiles, and two dependents with different features share one build.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Runs cargo in a folder, which must succeed.
fn cargo(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) {
    let mut command = Command::new(env!("CARGO"));
    let output =
        command.args(arguments).envs(environment.iter().copied()).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}:\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Checks the core with a set of features; a warning is an error. `RUSTFLAGS` would compile each dependency again.
fn check_core(features: &str) {
    let core = ["-p", "cpaas", "--lib", "--no-default-features", "--features", features];
    let arguments =
        [&["rustc", "--profile", "check", "--offline", "--quiet"][..], &core, &["--", "-Dwarnings"]];
    cargo(&root(), &arguments.concat(), &[]);
}

/// Sets with few dependencies. The suite `rust` also checks the core without features and with those of the workspace, and
/// `tests/nightly/feature_matrix` checks each feature alone and beside other crates.
const FEATURES: [&str; 2] = ["callback", "call"];

/// Further sets, some of whose dependencies take minutes to compile.
const MORE_FEATURES: [&str; 12] = [
    "http,graphemes,blocking",
    "app-hash",
    "leases",
    "axum",
    "graphemes,callback",
    "call,graphemes,national",
    "schema",
    "http,rustls-ring",
    "http,socks,http2",
    "http,rustls-aws-lc",
    "http,rustls-no-provider",
    "http,rustls-aws-lc,rustls-ring",
];

#[test]
fn each_set_of_features_compiles() {
    FEATURES.into_iter().for_each(check_core);
}

#[test]
#[ignore = "takes minutes; the suite `nightly` runs it"]
fn each_further_set_of_features_compiles() {
    MORE_FEATURES.into_iter().for_each(check_core);
}

/// The public features of the core, as its manifest declares them.
fn features_of_the_core() -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let core = packages.iter().find(|package| package["name"] == "cpaas").unwrap();
    let names = core["features"].as_object().unwrap().keys().cloned();
    names.filter(|name| name != "default" && !name.starts_with("__")).collect()
}

/// Each feature alone, and beside the default features of reqwest, those of axum, and HTTP/2. The features of all crates of a program add
/// up, so each of these is a build of its own.
#[test]
#[ignore = "takes minutes; `tests/nightly/feature_matrix` runs it"]
fn each_feature_compiles_alone_and_beside_other_crates() {
    let features = features_of_the_core();
    assert!(features.len() >= 16 && features.iter().any(|name| name == "http2"), "{features:?}");
    let folder = root().join("target/features-matrix");
    let _ = fs::remove_dir_all(&folder);
    let core = root().join("core");
    package(
        &folder,
        "program",
        &format!(
            "cpaas = {{ path = {core:?}, default-features = false }}\n\
             reqwest = {{ version = \"0.13\", optional = true }}\n\
             axum = {{ version = \"0.8\", optional = true }}\n\n[features]\nreqwest = [\"dep:reqwest\"]\n\
             axum = [\"dep:axum\"]\nhttp2 = [\"cpaas/http2\"]\n\n[workspace]\n"
        ),
        "pub fn send() -> cpaas::sms::SendSms { cpaas::sms::SendSms::new(\"Acme\", \"306912345678\", \"Hi\") }\n",
    );
    let program = folder.join("program");
    fs::copy(root().join("tests/neighbors/Cargo.lock"), program.join("Cargo.lock")).unwrap();
    let fetched = Command::new(env!("CARGO")).arg("fetch").current_dir(&program).status().unwrap();
    assert!(fetched.success(), "cargo fetch");
    for feature in &features {
        for beside in ["", ",reqwest", ",axum", ",http2"] {
            println!("{feature}{beside}");
            // A warning in any crate of the program is an error.
            let target = root().join("target/features");
            let environment = [("CARGO_TARGET_DIR", target.to_str().unwrap()), ("RUSTFLAGS", "-Dwarnings")];
            let features = format!("cpaas/{feature}{beside}");
            cargo(&program, &["check", "--offline", "--quiet", "--features", &features], &environment);
        }
    }
}

/// A call over the transport and the clock of a program has no runtime, threads or sockets in its dependencies, and on a host
/// without an operating system no source of random bytes.
#[test]
fn a_call_without_http_depends_on_no_runtime() {
    let tree = |target: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(["tree", "-p", "cpaas", "--no-default-features", "--features", "call", "--offline"])
            .args(["-e", "normal", "--prefix", "none"])
            .args(target)
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let tree = String::from_utf8(output.stdout).unwrap();
        tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect::<Vec<_>>()
    };
    let (here, browser) = (tree(&[]), tree(&["--target", "wasm32-unknown-unknown"]));
    for tree in [&here, &browser] {
        assert!(tree.iter().any(|name| name == "tracing"));
        for forbidden in ["tokio", "reqwest", "hyper", "http", "rustls", "mio", "socket2", "url"] {
            assert!(!tree.iter().any(|name| name == forbidden), "`call` must not depend on {forbidden}");
        }
    }
    assert!(!browser.iter().any(|name| name == "getrandom" || name == "js-sys"));
}

/// Writes a package with a library.
fn package(folder: &Path, name: &str, dependencies: &str, source: &str) {
    let folder = folder.join(name);
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}"
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/lib.rs"), source).unwrap();
}

/// One library uses the core without features, another one with callbacks and the client. A program passes types of the first
/// library to the second.
#[test]
fn two_dependents_with_different_features_share_their_types() {
    let folder = root().join("target/features-program");
    let _ = fs::remove_dir_all(&folder);
    let core = root().join("core");
    let on_core = |features: &str| {
        format!("cpaas = {{ path = {core:?}, default-features = false, features = [{features}] }}\n")
    };
    package(
        &folder,
        "plain",
        &on_core(""),
        "pub fn send() -> cpaas::sms::SendSms { cpaas::sms::SendSms::new(\"Acme\", \"306912345678\", \"Hi\") }\n",
    );
    package(
        &folder,
        "full",
        &on_core("\"http\", \"callback\", \"graphemes\", \"schema\""),
        "pub async fn call(client: &cpaas::Client, send: cpaas::sms::SendSms) -> bool { client.call(send).await.is_ok() }\n",
    );
    package(
        &folder,
        "program",
        "plain = { path = \"../plain\" }\nfull = { path = \"../full\" }\n",
        &format!(
            "pub async fn run({}) -> bool {{ full::call(client, plain::send()).await }}\n",
            "client: &full::Client"
        ),
    );
    let full = folder.join("full/src/lib.rs");
    let source = fs::read_to_string(&full).unwrap();
    fs::write(&full, format!("pub use cpaas::Client;\n{source}")).unwrap();
    // With the profile of this workspace, so that its dependencies are not compiled again.
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let profile =
        &manifest[manifest.find("[profile.dev]").unwrap()..manifest.find("[profile.release]").unwrap()];
    fs::write(
        folder.join("Cargo.toml"),
        format!("[workspace]\nresolver = \"3\"\nmembers = [\"plain\", \"full\", \"program\"]\n\n{profile}"),
    )
    .unwrap();
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let target = std::env::var("CARGO_TARGET_DIR").map_or_else(|_| root().join("target"), PathBuf::from);
    let environment = [("CARGO_TARGET_DIR", target.to_str().unwrap())];
    cargo(&folder, &["check", "--offline", "--quiet", "-p", "program"], &environment);
}
