//! Rows 189 to 204: the control API and the switches of the sandbox.

use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::Harness;
use crate::scripted_receiver::Receiver;
use crate::sms::sms;

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn acc_189_fifty_sandboxes_run_side_by_side_and_leave_no_thread() {
    // Threads are counted in a separate process, because other tests have threads too.
    if std::env::var_os("CPAAS_ALONE").is_none() {
        let name = "control_plane::acc_189_fifty_sandboxes_run_side_by_side_and_leave_no_thread";
        let alone = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--test-threads=1"])
            .env("CPAAS_ALONE", "1")
            .output();
        let output = alone.unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        // A name that matches no test also ends with success.
        return assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }
    let before = threads();
    let mut quickest = Duration::MAX; // a busy machine delays some of them
    let harnesses: Vec<Harness> = (0..50)
        .map(|_| {
            let started = Instant::now();
            let harness = Harness::new(&[]);
            quickest = quickest.min(started.elapsed());
            harness
        })
        .collect();
    assert!(quickest < Duration::from_millis(100), "ready after {quickest:?}");
    for harness in &harnesses {
        harness.post("/sms", sms(json!({}))).ok();
        assert_eq!(harness.ledger().len(), 1);
    }
    drop(harnesses);
    // A thread that was joined is listed in /proc until the kernel removes it.
    for _ in 0..6_000 {
        if threads() == before {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(threads(), before);
}

#[test]
fn acc_190_a_long_poll_returns_as_soon_as_a_message_matches() {
    let harness = Harness::new(&[]);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            // Longer than the time limit of the reader, so a response means that the poll ended early.
            let other = Harness::get_on_new_connection(
                &harness.url,
                "/messages?to=306912345678&contains=code&wait=300s",
            );
            other["messages"][0].clone()
        });
        harness.post("/2fa/send", crate::passcodes::body()).ok();
        let found = waiting.join().unwrap();
        assert!(found["text"].as_str().unwrap().contains(found["otp"].as_str().unwrap()));
    });
    let none = harness.control("GET", "/messages?to=1&wait=20ms", Value::Null);
    assert_eq!(none["messages"], json!([]));
}

#[test]
fn acc_191_accounts_are_separate() {
    let harness = Harness::new(&[]);
    let second = harness.second();
    let sid = second["account_sid"].as_str().unwrap();
    harness.post_as(&second, "/sms", sms(json!({}))).ok();
    let theirs = harness.control("GET", &format!("/messages?account={sid}"), Value::Null);
    assert_eq!((harness.inbox_is_empty(), theirs["messages"].as_array().unwrap().len()), (true, 1));
    let now = harness.now();
    harness.control("POST", &format!("/clock?account={sid}"), json!({"advance": "1d"}));
    assert_eq!(harness.now(), now, "clocks are separate");
    let rule = json!({"rules": [{"kind": "status", "status": 500, "match": {"account": sid}}]});
    harness.control("PUT", "/faults", rule);
    harness.post("/sms", sms(json!({}))).is(200);
    harness.post_as(&second, "/sms", sms(json!({}))).is(500);
    let shown = harness.control("PUT", &format!("/accounts/{sid}"), json!({
        "callback": {"url": "http://127.0.0.1:9/", "method": "POST", "template": "{}"}, "chat_callback": "http://127.0.0.1:9/c",
        "allow_ip": ["127.0.0.0/8"], "two_way": ["1"], "features": {"conversion": true}, "parent": harness.sid(),
    }));
    assert_eq!(
        (
            shown["callback"]["method"].as_str(),
            shown["features"]["conversion"].as_bool(),
            shown["parent"].as_str()
        ),
        (Some("POST"), Some(true), Some(harness.sid()))
    );
}

#[test]
fn acc_191_null_removes_each_setting_of_an_account() {
    let harness = Harness::new(&[]);
    let url = "http://127.0.0.1:9/";
    let unset = harness.control("GET", &format!("/accounts/{}", harness.sid()), Value::Null);
    let set = harness.settings(json!({
        "callback": {"url": url}, "chat_callback": url, "inbound_callback": url, "allow_ip": ["127.0.0.0/8"],
        "two_way": ["1"], "features": {"duplicate_reports": true, "reorder_reports": true},
    }));
    assert_eq!(
        (set["two_way"].clone(), set["features"]["reorder_reports"].clone()),
        (json!(["1"]), json!(true))
    );
    let names =
        ["callback", "chat_callback", "inbound_callback", "allow_ip", "two_way", "features", "parent"];
    for name in names {
        let change = Value::Object([(name.to_owned(), Value::Null)].into_iter().collect());
        let shown = harness.settings(change);
        assert_eq!(shown[name], unset[name], "{name}");
    }
    harness.post("/sms", sms(json!({}))).is(200);
}

#[test]
fn acc_192_an_advanced_clock_runs_timers_in_order() {
    let harness = Harness::new(&["--seed=9"]);
    let receiver = Receiver::new();
    harness.settings(json!({"chat_callback": receiver.url}));
    let ids: Vec<String> = (0..3)
        .map(|_| {
            crate::chat_sender::send(&harness, json!({"messenger_a": crate::chat_sender::text_message()}))
        })
        .collect();
    let now = harness.now();
    harness.advance("14d");
    assert_eq!(harness.now(), now + 14 * 86_400_000);
    let reported: Vec<(String, String)> = receiver
        .take()
        .iter()
        .map(|item| item.json())
        .map(|report| {
            (report["status"].as_str().unwrap().to_owned(), report["messageId"].as_str().unwrap().to_owned())
        })
        .collect();
    let expected: Vec<(String, String)> = ["Sent", "Delivered"]
        .iter()
        .flat_map(|status| ids.iter().map(|id| ((*status).to_owned(), id.clone())))
        .collect();
    assert_eq!(reported, expected, "all delivered before the response, in the order of time");
    for bad in [json!({"advance": "-1s"}), json!({"advance": "soon"}), json!({})] {
        assert_eq!(harness.call("POST", "/_sandbox/clock", &[], Some(&bad.to_string())).status, 400);
    }
    assert_eq!(Harness::new(&["--seed=9"]).now(), now, "a seeded clock starts at the same time");
}

#[test]
fn acc_196_magic_numbers_are_listed_and_select_their_status() {
    let harness = Harness::new(&[]);
    let table = harness.control("GET", "/magic", Value::Null);
    let prefixes: Vec<&str> =
        table.as_array().unwrap().iter().map(|row| row["prefix"].as_str().unwrap()).collect();
    assert_eq!(
        prefixes,
        [
            "999200", "999301", "999302", "999403", "999404", "999408", "999410", "999422", "999425",
            "999429", "999500", "999503", "999604"
        ]
    );
    let status = |to: &str| harness.post("/sms", sms(json!({"to": to}))).status;
    assert_eq!([status("9994290001"), status("9994290001")], [429, 429]);
    assert_eq!([status("9995030001"), status("9995030001"), status("9995030002")], [503, 200, 503]);
    assert_eq!([status("9992000001"), status("9999990001"), status("3069994290")], [200, 200, 200]);
    harness.advance("1s");
    assert_eq!(
        (harness.last("9992000001")["status"].as_str(), harness.last("9999990001")["status"].as_str()),
        (Some("delivered"), Some("delivered"))
    );
}

#[test]
fn acc_197_a_reset_empties_inbox_and_ledger_within_5_ms() {
    let harness = Harness::new(&[]);
    let reset = || {
        for _ in 0..200 {
            harness.post("/sms", sms(json!({}))).ok();
        }
        let took = harness.control("POST", "/reset", Value::Null)["us"].as_u64().unwrap();
        assert!(harness.inbox_is_empty() && harness.ledger().is_empty());
        took
    };
    let quickest = (0..30).map(|_| reset()).find(|took| *took < 5_000); // a busy machine delays some of them
    assert!(quickest.is_some(), "no reset took less than 5 ms");
    harness.post("/sms", sms(json!({}))).is(200);
}

#[test]
fn acc_200_a_logged_request_can_be_copied_as_code() {
    let harness = Harness::new(&[]);
    harness.post("/sms", sms(json!({"color": 1}))).ok();
    let logged = harness.requests().pop().unwrap();
    assert_eq!(
        (logged["operation"].as_str(), logged["status"].as_u64(), logged["auth"].as_str()),
        (Some("sms.send"), Some(200), Some("x-service-api-key"))
    );
    assert!(logged["warnings"].to_string().contains("color"));
    let copy = |name: &str| logged["copy"][name].as_str().unwrap().to_owned();
    assert!(copy("curl").starts_with("curl -X POST") && copy("curl").contains("$CPAAS_SMS_KEY"));
    assert!(copy("python").contains("sms.send") && copy("rust").contains("OperationId::SmsSend"));
}

#[test]
fn acc_200_the_event_stream_reports_new_messages_and_requests() {
    let harness = Harness::new(&[]);
    let mut stream = harness.connect();
    stream.write_all(b"GET /_sandbox/stream HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "content-type: text/event-stream"));
    assert!(lines.any(|line| line == ": open"));
    harness.post("/sms", sms(json!({}))).ok();
    let mut kinds = lines.filter(|line| line.starts_with("event: "));
    assert_eq!(
        (kinds.next().unwrap(), kinds.next().unwrap()),
        ("event: message".to_owned(), "event: request".to_owned())
    );
}

#[test]
fn acc_201_a_burst_is_accepted_and_evictions_are_counted() {
    let harness = Harness::new(&["--messages=1000"]);
    let count = 20_000;
    std::thread::scope(|scope| {
        for part in 0..2 {
            let config = harness.client_config();
            scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_multi_thread()
                    .worker_threads(1)
                    .enable_all()
                    .build()
                    .unwrap();
                let client = std::sync::Arc::new(cpaas::Client::new(&config).unwrap());
                runtime.block_on(async {
                    let mut calls = Vec::new();
                    for lane in 0..16 {
                        let client = std::sync::Arc::clone(&client);
                        calls.push(tokio::spawn(async move {
                            for n in 0..count / 32 {
                                let to = format!("3069{part}{lane:02}{n:05}");
                                client
                                    .call(cpaas::sms::SendSms::new("Acme", to, "Hi").kind("auto"))
                                    .await
                                    .unwrap();
                            }
                        }));
                    }
                    for call in calls {
                        call.await.unwrap();
                    }
                });
            });
        }
    });
    let overview = harness.control("GET", "", Value::Null);
    assert_eq!(
        (
            overview["ledger"].as_u64(),
            overview["messages"]["kept"].as_u64(),
            overview["messages"]["evicted"].as_u64()
        ),
        (Some(count), Some(1_000), Some(count - 1_000))
    );
}

#[test]
fn acc_202_strict_rejects_responses_that_depend_on_an_assumption() {
    let harness = Harness::new(&["--strict"]);
    harness.post("/sms", sms(json!({}))).is(200);
    harness.post("/2fa/send", crate::passcodes::body()).is(200);
    let refused = |reply: crate::harness::Reply, id: &str| {
        assert_eq!(reply.status, 501, "{id}: {}", reply.text);
        assert!(
            reply.assumed().split(',').any(|assumption| assumption == id)
                && (id == "D38" || reply.text.contains(id)),
            "{id}: {}",
            reply.text
        );
    };
    let otp = |changes: Value| harness.post("/2fa/send", crate::passcodes::with(changes));
    let before = harness.ledger().len();
    refused(otp(json!({"channel": null})), "D08");
    refused(otp(json!({"guardTime": 60})), "D09");
    refused(otp(json!({"body": "x"})), "D11");
    refused(otp(json!({"voice": "male"})), "D12");
    refused(otp(json!({"service": 1})), "D15");
    refused(otp(json!({"limits": {"nothing": "x"}})), "D16");
    refused(otp(json!({"to": "+306912345678"})), "D29");
    refused(harness.get("/2fa/search/OTP1"), "D03");
    refused(harness.get("/2fa/search?page=x"), "D20");
    refused(harness.get("/2fa/usage/records?channel=sms"), "D60");
    refused(harness.get("/2fa/usage/records/monthly"), "D61");
    refused(harness.call("POST", "/2fa/send", &[], Some("{}")), "D23");
    refused(harness.post("/sms", sms(json!({"type": "x"}))), "D26");
    refused(harness.post("/sms", sms(json!({"to": ""}))), "D27");
    refused(harness.post("/sms", sms(json!({"from": ""}))), "D55");
    refused(harness.post("/sms.xml", sms(json!({}))), "D32");
    refused(harness.post("/smsbulk", sms(json!({"to": "x"}))), "D30");
    refused(harness.post("/smsbulk.xml", sms(json!({}))), "D65");
    refused(harness.get("/lookup?msisdn=12"), "D38");
    refused(harness.post("/messages/send", json!({})), "D25");
    assert_eq!(harness.ledger().len(), before, "a rejected request sends nothing");
    let some = Harness::new(&["--strict=D08"]);
    refused(some.post("/2fa/send", crate::passcodes::with(json!({"channel": null}))), "D08");
    assert_eq!(some.post("/sms", sms(json!({"type": "x"}))).status, 200);
}

#[test]
fn acc_203_callbacks_go_only_to_loopback_addresses() {
    let harness = Harness::new(&[]);
    assert!(harness.url.starts_with("http://127.0.0.1:"));
    let send = |harness: &Harness, url: &str| {
        harness.post("/sms", sms(json!({"callback": url}))).ok();
        harness.advance("1s");
        harness.attempts().pop().unwrap()["outcome"].clone()
    };
    for url in
        ["http://192.0.2.1/", "http://169.254.169.254/latest", "http://0.0.0.0:1/", "http://[2001:db8::1]/"]
    {
        assert_eq!(send(&harness, url), "host_not_allowed", "{url}");
    }
    harness.advance("2d");
    assert_eq!(harness.attempts().len(), 4, "a refused target is not retried");
    let open = Harness::new(&["--allow-callback-host=192.0.2.1", "--callback-timeout=10ms"]);
    assert_ne!(send(&open, "http://192.0.2.1/"), "host_not_allowed");
}

#[test]
fn acc_204_cors_is_off_unless_enabled() {
    let off = Harness::new(&[]).post("/sms", sms(json!({})));
    assert_eq!(off.header("access-control-allow-origin"), None);
    let harness = Harness::new(&["--cors=http://localhost:5173"]);
    let on = harness.post("/sms", sms(json!({})));
    assert_eq!(on.header("access-control-allow-origin"), Some("http://localhost:5173"));
    let preflight = harness.call("OPTIONS", "/sms", &[], None).is(200);
    assert!(preflight.header("access-control-allow-headers").unwrap().contains("x-service-api-key"));
}

#[test]
fn the_control_api_responds_to_other_methods_with_405() {
    let harness = Harness::new(&[]);
    let pages = [
        ("", "GET"),
        ("/accounts", "GET, POST"),
        ("/accounts/AC1", "GET, PUT"),
        ("/messages/SM1/status", "POST"),
        ("/clock", "GET, POST"),
        ("/faults", "GET, PUT, POST, DELETE"),
        ("/media", "PUT"),
        ("/stream", "GET"),
        ("/reset", "POST"),
    ];
    for (page, allowed) in pages {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
            if !allowed.split(", ").any(|listed| listed == method) {
                let reply = harness.call(method, &format!("/_sandbox{page}"), &[], None).is(405);
                let given = reply.header("allow").unwrap().split(',').filter(|item| *item != "HEAD");
                let mut given: Vec<&str> = given.collect();
                let mut allowed: Vec<&str> = allowed.split(", ").collect();
                given.sort_unstable();
                allowed.sort_unstable();
                assert_eq!(given, allowed, "{method} {page}");
            }
        }
    }
    for page in ["/clocks", "/accounts/AC1/x", "/messages/SM1"] {
        let reply = harness.call("GET", &format!("/_sandbox{page}"), &[], None).is(404);
        assert_eq!(reply.header("allow"), None);
    }
}
