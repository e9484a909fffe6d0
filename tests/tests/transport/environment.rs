//! Trust roots and proxies from the environment, each test in a separate process.

use std::path::Path;
use std::process::Command;

use cpaas::error::Outcome;
use cpaas_tests::examples::example;
use cpaas_tests::fault_server::{FaultServer, Reply, Request};

use crate::certificate_authority::{Authority, file};
use crate::{ClosedPort, config, send};

/// The output of a process with these trust roots that calls `url`.
fn output_with_roots(url: &str, roots: &Path, directory: &Path) -> String {
    output_with_variables(
        url,
        &[("SSL_CERT_FILE", roots.to_str().unwrap()), ("SSL_CERT_DIR", directory.to_str().unwrap())],
    )
}

/// The output of a process with these variables.
fn output_with_variables(url: &str, variables: &[(&str, &str)]) -> String {
    let variables: Vec<_> =
        variables.iter().map(|(name, value)| (*name, std::ffi::OsStr::new(*value))).collect();
    output_with_environment(url, &variables)
}

fn output_with_environment(url: &str, variables: &[(&str, &std::ffi::OsStr)]) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "environment::in_a_separate_process", "--nocapture"])
        .env("CPAAS_TEST_URL", url)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .find_map(|line| line.split_once("reported: "))
        .map(|(_, reported)| reported.to_owned())
        .unwrap_or(text)
}

/// Sends in the separate process of another test; does nothing in an ordinary run.
#[allow(clippy::print_stdout)]
#[tokio::test]
async fn in_a_separate_process() {
    let Ok(url) = std::env::var("CPAAS_TEST_URL") else { return };
    let mut held = Vec::new();
    if std::env::var("CPAAS_TEST_EXHAUST").is_ok() {
        while let Ok(file) = std::fs::File::open("/dev/null") {
            held.push(file);
        }
    }
    match send(&config(&url)).await {
        Ok(id) => println!("reported: {id}"),
        Err(error) if error.outcome == Outcome::Invalid => {
            println!("reported: invalid {} {}", serde_json::json!(error.reason), error.message);
        }
        Err(error) if std::env::var("CPAAS_TEST_MESSAGE").is_ok() => println!("reported: {}", error.message),
        Err(error) => println!("reported: {} {}", error.outcome.as_str(), serde_json::json!(error.reason)),
    }
}

fn empty_directory() -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("cpaas-{}-no-roots", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn the_roots_in_ssl_cert_file_are_trusted() {
    let authority = Authority::new();
    let server = authority.server("localhost");
    assert_eq!(output_with_roots(&server.url(), &authority.file("environment"), &empty_directory()), "M1");
    let other = Authority::new().file("stranger");
    assert_eq!(output_with_roots(&server.url(), &other, &empty_directory()), "not_sent \"tls\"");
}

/// Without system roots the client uses its bundled roots, which do not contain the authority of the test.
#[test]
fn bundled_roots_replace_missing_system_roots() {
    let server = Authority::new().server("localhost");
    let none = file("none", "");
    assert_eq!(output_with_roots(&server.url(), &none, &empty_directory()), "not_sent \"tls\"");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_proxy_variables_of_the_environment_apply() {
    let status = |request: &Request| if request.method == "CONNECT" { 403 } else { 200 };
    let reply = move |request: &Request| Reply::json(status(request), example("sms.send").response);
    let proxy = FaultServer::serve(reply).await.unwrap();
    let (address, target) = (proxy.url(), "http://provider.invalid");
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        assert_eq!(output_with_variables(target, &[(name, &address)]), "M1", "{name}");
    }
    assert_eq!(proxy.requests().len(), 4);
    assert!(proxy.requests().iter().all(|request| request.path == "http://provider.invalid/sms"));
    let dns = "not_sent \"dns\"";
    for more in [("NO_PROXY", "provider.invalid"), ("no_proxy", ".invalid"), ("REQUEST_METHOD", "GET")] {
        assert_eq!(output_with_variables(target, &[("HTTP_PROXY", &address), more]), dns, "{more:?}");
    }
    assert_eq!(output_with_variables(target, &[("HTTPS_PROXY", &address)]), dns);
    // An empty variable counts as unset.
    assert_eq!(output_with_variables(target, &[("HTTP_PROXY", ""), ("http_proxy", &address)]), "M1");
    assert_eq!(
        output_with_variables("https://provider.invalid", &[("HTTPS_PROXY", &address)]),
        "not_sent \"proxy\""
    );
    // The sixth request is the one for a tunnel: for https, the proxy receives nothing else.
    assert_eq!(proxy.requests().len(), 6);
}

/// A call that no proxy carries does not fail because of one.
#[test]
fn an_error_without_a_proxy_is_not_an_error_of_the_proxy() {
    let proxy = ClosedPort::new();
    let output = |variable| output_with_variables("http://provider.invalid", &[(variable, &proxy.url())]);
    assert_eq!(output("HTTP_PROXY"), "not_sent \"proxy\"");
    assert_eq!(output("HTTPS_PROXY"), "not_sent \"dns\"");
    let variables = [("ALL_PROXY", proxy.url()), ("NO_PROXY", "provider.invalid".to_owned())];
    let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(output_with_variables("http://provider.invalid", &variables), "not_sent \"dns\"");
}

/// A message names the variable that names the proxy, and no setting that nobody set.
#[test]
fn an_error_of_the_proxy_names_what_names_the_proxy() {
    let proxy = ClosedPort::new();
    let forms = [
        ("http", "HTTP_PROXY"),
        ("http", "http_proxy"),
        ("http", "all_proxy"),
        ("https", "HTTPS_PROXY"),
        ("https", "ALL_PROXY"),
    ];
    for (scheme, name) in forms {
        let variables = [(name, proxy.url()), ("CPAAS_TEST_MESSAGE", "1".to_owned())];
        let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
        let message = output_with_variables(&format!("{scheme}://provider.invalid"), &variables);
        let expected = format!("not sent: the connection to the proxy could not be made: check {name} (");
        assert!(message.starts_with(&expected), "{name}: {message}");
    }
}

/// A sandbox of this machine is reached also where the environment names a proxy. `NO_PROXY` adds hosts, and removes none.
#[test]
fn no_proxy_of_the_environment_is_used_for_the_loopback_interface() {
    let (target, proxy) = (ClosedPort::new(), ClosedPort::new());
    let port = target.url().rsplit(':').next().unwrap_or_default().to_owned();
    for host in ["127.0.0.1", "127.8.9.10", "localhost", "LocalHost", "[::1]", "sandbox.localhost"] {
        for more in [("NO_PROXY", ""), ("NO_PROXY", "provider.invalid")] {
            let variables = [("HTTP_PROXY", proxy.url()), ("ALL_PROXY", proxy.url())];
            let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
            let output = output_with_variables(
                &format!("http://{host}:{port}"),
                &[variables.as_slice(), &[more]].concat(),
            );
            let expected = ["not_sent \"connect\"", "not_sent \"dns\""]; // not every resolver has names below localhost
            assert!(expected.contains(&output.as_str()), "{host}: {output}");
        }
    }
}

/// With an unusable proxy, no request goes directly to the provider.
#[test]
fn an_unusable_proxy_of_the_environment_is_an_error() {
    let target = |name: &str| {
        if name.eq_ignore_ascii_case("https_proxy") {
            "https://provider.invalid"
        } else {
            "http://provider.invalid"
        }
    };
    let forms = [
        "http://",
        ":8080",
        " ",
        "proxy:port",
        "http://[::1",
        "ftp://proxy:1",
        "socks6://proxy:1",
        "p:99999",
        "http://a b",
    ];
    let names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let cases =
        forms.iter().map(|form| ("HTTP_PROXY", *form)).chain(names.map(|name| (name, "ftp://hunter2")));
    for (name, form) in cases {
        let reported = output_with_variables(target(name), &[(name, form)]);
        assert!(reported.starts_with(&format!("invalid \"config\" {name} ")), "{name}={form}: {reported}");
        assert!(!reported.contains("hunter2"), "{reported}");
    }
    let reported = output_with_variables(
        "http://provider.invalid",
        &[("REQUEST_METHOD", "GET"), ("HTTP_PROXY", "ftp://proxy")],
    );
    assert_eq!(reported, "not_sent \"dns\"");
}

/// A variable that no address of the client uses stops nothing, whatever it contains.
#[test]
fn a_proxy_of_the_environment_that_is_not_used_is_not_read() {
    let (http, https) = ("http://provider.invalid", "https://provider.invalid");
    for form in ["ftp://proxy", "socks://proxy:1", "socks5://proxy:1", "::"] {
        for (target, name) in [(http, "HTTPS_PROXY"), (https, "HTTP_PROXY"), (https, "http_proxy")] {
            assert_eq!(
                output_with_variables(target, &[(name, form)]),
                "not_sent \"dns\"",
                "{target} {name}={form}"
            );
        }
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            let local = output_with_variables("http://127.0.0.1:9", &[(name, form)]);
            assert_eq!(local, "not_sent \"connect\"", "{name}={form}");
            let excepted = [(name, form), ("NO_PROXY", "provider.invalid")];
            assert_eq!(output_with_variables(http, &excepted), "not_sent \"dns\"", "{name}={form}");
        }
        // Each scheme has a variable of its own, so nothing is left for ALL_PROXY.
        let proxy = ClosedPort::new();
        let own = proxy.url();
        let covered = [("ALL_PROXY", form), ("HTTP_PROXY", own.as_str())];
        assert_eq!(output_with_variables(http, &covered), "not_sent \"proxy\"", "{form}");
        let reported = output_with_variables(https, &covered);
        if cfg!(feature = "socks") && form.starts_with("socks5") {
            continue;
        }
        assert!(reported.starts_with("invalid \"config\" ALL_PROXY "), "{form}: {reported}");
    }
}

/// `socks://`, which desktops write, is version 4 for some programs and version 5 for others.
#[test]
fn a_socks_proxy_without_a_version_is_an_error_that_names_the_schemes() {
    let expected = if cfg!(feature = "socks") {
        "ALL_PROXY must name the version of SOCKS: write socks5:// or socks4:// in place of socks://"
    } else {
        "ALL_PROXY is a SOCKS proxy, and this build has no SOCKS (feature `socks` of the Rust crate): use an HTTP proxy"
    };
    for form in ["socks://u:hunter2@proxy:1", "SOCKS://proxy:1/", " socks://proxy"] {
        let reported = output_with_variables("http://provider.invalid", &[("ALL_PROXY", form)]);
        assert_eq!(reported, format!("invalid \"config\" {expected}"), "{form}");
    }
}

#[cfg(unix)]
/// Without the feature `socks`, a SOCKS proxy is named, and only if the call would use it.
#[cfg(not(feature = "socks"))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_socks_proxy_of_the_environment_needs_the_feature() {
    let server = FaultServer::serve(|_| Reply::json(200, r#"{"id":"M1","responseCode":0}"#)).await.unwrap();
    for name in ["ALL_PROXY", "all_proxy", "HTTP_PROXY"] {
        for proxy in ["socks5://proxy:1", "SOCKS5H://u:s3cr3t@proxy:1", " socks4://proxy"] {
            let shown = output_with_variables("http://provider.test", &[(name, proxy)]);
            let expected = format!("{name} is a SOCKS proxy, and this build has no SOCKS (feature `socks`");
            assert!(shown.contains(&expected) && !shown.contains("s3cr3t"), "{shown}");
            assert_eq!(output_with_variables(&server.url(), &[(name, proxy)]), "M1");
            let excepted = [(name, proxy), ("NO_PROXY", "provider.test")];
            let shown = output_with_variables("http://provider.test", &excepted);
            assert!(!shown.contains("SOCKS"), "{shown}");
        }
    }
    let result = send(&config(&server.url()).proxy("socks5://proxy:1")).await;
    assert!(result.unwrap_err().message.starts_with("`proxy` is a SOCKS proxy, and this build has no SOCKS"));
}

#[test]
fn a_proxy_of_the_environment_that_is_not_unicode_is_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let value = std::ffi::OsStr::from_bytes(b"http://\xff");
    let reported = output_with_environment("https://provider.invalid", &[("HTTPS_PROXY", value)]);
    assert_eq!(reported, "invalid \"config\" HTTPS_PROXY must be valid UTF-8");
    let reported = output_with_environment("https://provider.invalid", &[("NO_PROXY", value)]);
    assert_eq!(reported, "invalid \"config\" NO_PROXY must be valid UTF-8");
    assert_eq!(
        output_with_environment("http://127.0.0.1:9", &[("HTTPS_PROXY", value)]),
        "not_sent \"connect\""
    );
}

#[cfg(unix)]
#[test]
fn a_call_without_a_free_file_descriptor_is_not_sent() {
    for url in ["http://127.0.0.1:9", "http://localhost:9", "http://provider.invalid"] {
        assert_eq!(
            output_with_variables(url, &[("CPAAS_TEST_EXHAUST", "1")]),
            "not_sent \"resources\"",
            "{url}"
        );
    }
}
