//! Protection against web pages of other sites: the sandbox checks the host name of every request, and the origin of requests that
//! change it or read the responses of callback targets.

use serde_json::{Value, json};

use crate::harness::{Harness, Reply};
use crate::scripted_receiver::Receiver;
use crate::sms::sms;

/// A GET with these header lines.
fn get(harness: &Harness, target: &str, headers: &[&str]) -> Reply {
    let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    harness.head(&format!("GET {target} HTTP/1.1\r\n{lines}\r\n"))
}

fn port(harness: &Harness) -> &str {
    harness.url.rsplit(':').next().unwrap()
}

#[test]
fn requests_with_a_host_name_that_is_not_loopback_are_rejected() {
    let harness = Harness::new(&[]);
    let good = [
        "localhost",
        "LOCALHOST:1",
        "localhost.",
        "localhost.:8025",
        "127.0.0.1",
        "127.0.0.1.",
        "127.255.3.4:80",
        "[::1]",
        "[::1]:9",
        "[::ffff:127.0.0.1]:9",
    ];
    for host in good {
        let reply = get(&harness, "/_sandbox/accounts", &[&format!("Host: {host}")]);
        assert_eq!(reply.status, 200, "{host}");
    }
    let bad = [
        "evil.example",
        "evil.example:8025",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1@evil.example",
        "evil.example@127.0.0.1",
        "10.0.0.1",
        "0.0.0.0",
        "[::2]",
        "",
    ];
    for host in bad {
        for target in ["/_sandbox/accounts", "/", "/assets/inbox/app.js", "/composer/", "/sms", "/nothing"] {
            let reply = get(&harness, target, &[&format!("Host: {host}")]);
            assert_eq!(reply.status, 421, "{host} {target}: {}", reply.text);
            let body = reply.json();
            assert_eq!(body["code"], 421);
            assert!(body["message"].as_str().unwrap().contains("--allow-host"), "{body}");
        }
    }
    assert_eq!(harness.requests().len(), 0, "no request reached the provider's API");
}

#[test]
fn every_host_that_a_request_names_must_be_allowed() {
    let harness = Harness::new(&[]);
    let absolute = |authority: &str| format!("http://{authority}/_sandbox/accounts");
    let status = |target: &str, hosts: &[&str]| get(&harness, target, hosts).status;
    assert_eq!(status(&absolute("127.0.0.1:7"), &["Host: localhost"]), 200);
    assert_eq!(status(&absolute("evil.example"), &["Host: localhost"]), 421);
    assert_eq!(status(&absolute("127.0.0.1:7"), &["Host: evil.example"]), 421);
    assert_eq!(status("/_sandbox/accounts", &["Host: localhost", "Host: evil.example"]), 421);
    let old = |lines: &str| harness.head(&format!("GET /_sandbox/health HTTP/1.0\r\n{lines}\r\n")).status;
    assert_eq!(old(""), 200, "a program that sends HTTP/1.0 without a host");
    assert_eq!(old("Origin: http://evil.example\r\n"), 421, "a browser must send a host");
    assert_eq!(old("Host: evil.example\r\n"), 421);
}

#[test]
fn hosts_listed_with_allow_host_are_accepted() {
    let harness = Harness::new(&["--allow-host=Sandbox.test", "--allow-host=other."]);
    for host in ["sandbox.TEST", "sandbox.test.:80", "other", "localhost"] {
        assert_eq!(get(&harness, "/_sandbox/", &[&format!("Host: {host}")]).status, 200, "{host}");
    }
    assert_eq!(get(&harness, "/_sandbox/", &["Host: test"]).status, 421);
    let loopback = Harness::new(&["--bind=127.0.0.5"]);
    assert_eq!(get(&loopback, "/_sandbox/", &["Host: 127.0.0.5:1"]).status, 200);
    for bad in ["", "a b", "http://a", "a/b"] {
        assert!(cpaas_sandbox::Sandbox::builder().set("allow-host", bad).is_err(), "{bad}");
    }
}

#[test]
fn a_page_of_another_site_cannot_change_the_sandbox() {
    let harness = Harness::new(&[]);
    harness.post("/sms", sms(json!({}))).ok();
    let own = format!("Origin: http://127.0.0.1:{}", port(&harness));
    let host = format!("Host: 127.0.0.1:{}", port(&harness));
    let write = |method: &str, path: &str, lines: &[&str]| {
        let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        harness.head(&format!(
            "{method} /_sandbox{path} HTTP/1.1\r\n{host}\r\nContent-Length: 2\r\n{lines}\r\n{{}}"
        ))
    };
    let sid = format!("/accounts/{}", harness.sid());
    let writes = [
        ("POST", "/reset"),
        ("POST", "/inbound"),
        ("POST", "/accounts"),
        ("PUT", sid.as_str()),
        ("PUT", "/faults"),
        ("DELETE", "/faults"),
        ("POST", "/clock"),
        ("PUT", "/media"),
        ("POST", "/webhook-events"),
        ("PATCH", "/nothing"),
    ];
    let foreign: [&[&str]; 8] = [
        &["Origin: http://evil.example"],
        &["Origin: null"],
        &["Origin: http://127.0.0.1:1"],
        &["Origin: http://127.0.0.1"],
        &["Origin: "],
        &[&own, "Origin: http://evil.example"],
        &["Sec-Fetch-Site: cross-site"],
        &["Sec-Fetch-Site: same-site"],
    ];
    for (method, path) in writes {
        for lines in foreign {
            let reply = write(method, path, lines);
            assert_eq!(reply.status, 403, "{method} {path} {lines:?}: {}", reply.text);
            assert_eq!(reply.json()["code"], 403);
        }
    }
    assert_eq!(harness.ledger().len(), 1, "nothing was reset");
    assert_eq!(write("POST", "/reset", &[&own, "Sec-Fetch-Site: same-origin"]).status, 200);
    assert!(harness.ledger().is_empty());
    assert_eq!(write("POST", "/reset", &[]).status, 200);
}

#[test]
fn a_listed_origin_has_full_access() {
    let harness = Harness::new(&["--cors=http://localhost:5173"]);
    let write = |origin: &str| {
        harness.head(&format!(
            "POST /_sandbox/reset HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\nContent-Length: 0\r\n\r\n"
        ))
    };
    let reply = write("http://localhost:5173");
    assert_eq!(
        (reply.status, reply.header("access-control-allow-origin")),
        (200, Some("http://localhost:5173"))
    );
    assert_eq!(write("http://localhost:5174").status, 403);
}

#[test]
fn the_responses_of_callback_targets_are_hidden_from_pages_of_other_sites() {
    let harness = Harness::new(&["--cors=http://localhost:5173"]);
    let receiver = Receiver::new();
    harness.post("/sms", sms(json!({"callback": receiver.url}))).ok();
    harness.advance("1s");
    assert_eq!(harness.attempts().len(), 1);
    let own = format!("Origin: http://localhost:{}", port(&harness));
    let host = format!("Host: localhost:{}", port(&harness));
    let seen = |lines: &[&str]| {
        let lines = [&[host.as_str()], lines].concat();
        get(&harness, "/_sandbox/callbacks", &lines).json()["attempts"][0]["answer"].clone()
    };
    assert!(seen(&[]).is_string());
    assert!(seen(&[&own, "Sec-Fetch-Site: same-origin"]).is_string());
    assert!(seen(&["Sec-Fetch-Site: none"]).is_string());
    for lines in [
        &["Origin: http://localhost:5173"][..],
        &["Origin: http://evil.example"],
        &["Origin: null"],
        &["Sec-Fetch-Site: cross-site"],
        &["Sec-Fetch-Site: same-site"],
    ] {
        assert_eq!(seen(lines), Value::Null, "{lines:?}");
    }
}

#[test]
fn callbacks_to_the_sandbox_itself_are_refused() {
    let harness = Harness::new(&["--allow-callback-host=0.0.0.0"]);
    let port = port(&harness);
    let hosts =
        ["127.0.0.1", "localhost", "LOCALHOST", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"];
    for host in hosts {
        let url = format!("http://{host}:{port}/_sandbox/reset");
        harness.post("/sms", sms(json!({"callback": url}))).ok();
        harness.advance("1s");
        let last = harness.attempts().pop().unwrap();
        assert_eq!(last["outcome"], "sandbox_itself", "{host}: {last}");
        assert_eq!(last["next"], Value::Null);
        let event = harness.events("callback.refused").pop().unwrap();
        assert_eq!(event["detail"]["reason"], "sandbox_itself", "{event}");
    }
    assert_eq!(harness.attempts().len(), hosts.len());
}
