//! Rows 189 to 204: the machinery of the sandbox.

use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::lab::Lab;
use crate::receiver::Receiver;
use crate::sms::sms;

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn acc_189_fifty_side_by_side_and_no_thread_left() {
    // Threads are counted in a process of its own: other tests have theirs.
    if std::env::var_os("CPAAS_ALONE").is_none() {
        let name = "machinery::acc_189_fifty_side_by_side_and_no_thread_left";
        let alone = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--test-threads=1"])
            .env("CPAAS_ALONE", "1")
            .output();
        let output = alone.unwrap();
        return assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let before = threads();
    let mut quickest = Duration::MAX; // a busy machine delays some of them
    let labs: Vec<Lab> = (0..50)
        .map(|_| {
            let started = Instant::now();
            let lab = Lab::new(&[]);
            quickest = quickest.min(started.elapsed());
            lab
        })
        .collect();
    assert!(quickest < Duration::from_millis(100), "ready after {quickest:?}");
    for lab in &labs {
        lab.post("/sms", sms(json!({}))).ok();
        assert_eq!(lab.ledger().len(), 1);
    }
    drop(labs);
    // A thread that was joined stands in /proc until the kernel has put it away.
    for _ in 0..6_000 {
        if threads() == before {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(threads(), before);
}

#[test]
fn acc_190_a_long_poll_returns_as_soon_as_it_can() {
    let lab = Lab::new(&[]);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            // Longer than the reader has patience: an answer is one that came before the time was over.
            let other = Lab::path_of(&lab.url, "/messages?to=306912345678&contains=code&wait=300s");
            other["messages"][0].clone()
        });
        lab.post("/2fa/send", crate::otp::body()).ok();
        let found = waiting.join().unwrap();
        assert!(found["text"].as_str().unwrap().contains(found["otp"].as_str().unwrap()));
    });
    let none = lab.control("GET", "/messages?to=1&wait=20ms", Value::Null);
    assert_eq!(none["messages"], json!([]));
}

#[test]
fn acc_191_accounts_are_apart() {
    let lab = Lab::new(&[]);
    let second = lab.second();
    let sid = second["account_sid"].as_str().unwrap();
    lab.post_as(&second, "/sms", sms(json!({}))).ok();
    let theirs = lab.control("GET", &format!("/messages?account={sid}"), Value::Null);
    assert_eq!((lab.inbox_is_empty(), theirs["messages"].as_array().unwrap().len()), (true, 1));
    let now = lab.now();
    lab.control("POST", &format!("/clock?account={sid}"), json!({"advance": "1d"}));
    assert_eq!(lab.now(), now, "clocks are apart");
    let rule = json!({"rules": [{"kind": "status", "status": 500, "match": {"account": sid}}]});
    lab.control("PUT", "/faults", rule);
    lab.post("/sms", sms(json!({}))).is(200);
    lab.post_as(&second, "/sms", sms(json!({}))).is(500);
    let shown = lab.control("PUT", &format!("/accounts/{sid}"), json!({
        "callback": {"url": "http://127.0.0.1:9/", "method": "POST", "template": "{}"}, "chat_callback": "http://127.0.0.1:9/c",
        "allow_ip": ["127.0.0.0/8"], "two_way": ["1"], "features": {"conversion": true}, "parent": lab.sid(),
    }));
    assert_eq!(
        (
            shown["callback"]["method"].as_str(),
            shown["features"]["conversion"].as_bool(),
            shown["parent"].as_str()
        ),
        (Some("POST"), Some(true), Some(lab.sid()))
    );
}

#[test]
fn acc_192_the_clock_goes_forward_and_fires_in_order() {
    let lab = Lab::new(&["--seed=9"]);
    let receiver = Receiver::new();
    lab.settings(json!({"chat_callback": receiver.url}));
    let ids: Vec<String> =
        (0..3).map(|_| crate::chat::send(&lab, json!({"messenger_a": crate::chat::TEXT_A()}))).collect();
    let now = lab.now();
    lab.advance("14d");
    assert_eq!(lab.now(), now + 14 * 86_400_000);
    let told: Vec<(String, String)> = receiver
        .take()
        .iter()
        .map(|one| one.json())
        .map(|one| {
            (one["status"].as_str().unwrap().to_owned(), one["messageId"].as_str().unwrap().to_owned())
        })
        .collect();
    let expected: Vec<(String, String)> = ["Sent", "Delivered"]
        .iter()
        .flat_map(|status| ids.iter().map(|id| ((*status).to_owned(), id.clone())))
        .collect();
    assert_eq!(told, expected, "all delivered before the answer, in the order of time");
    for bad in [json!({"advance": "-1s"}), json!({"advance": "soon"}), json!({})] {
        assert_eq!(lab.call("POST", "/_sandbox/clock", &[], Some(&bad.to_string())).status, 400);
    }
    assert_eq!(Lab::new(&["--seed=9"]).now(), now, "a seeded clock starts at the same time");
}

#[test]
fn acc_196_magic_numbers() {
    let lab = Lab::new(&[]);
    let table = lab.control("GET", "/magic", Value::Null);
    let prefixes: Vec<&str> =
        table.as_array().unwrap().iter().map(|row| row["prefix"].as_str().unwrap()).collect();
    assert_eq!(
        prefixes,
        [
            "999200", "999301", "999302", "999403", "999404", "999408", "999410", "999422", "999425",
            "999429", "999500", "999503", "999604"
        ]
    );
    let status = |to: &str| lab.post("/sms", sms(json!({"to": to}))).status;
    assert_eq!([status("9994290001"), status("9994290001")], [429, 429]);
    assert_eq!([status("9995030001"), status("9995030001"), status("9995030002")], [503, 200, 503]);
    assert_eq!([status("9992000001"), status("9999990001"), status("3069994290")], [200, 200, 200]);
    lab.advance("1s");
    assert_eq!(
        (lab.last("9992000001")["status"].as_str(), lab.last("9999990001")["status"].as_str()),
        (Some("delivered"), Some("delivered"))
    );
}

#[test]
fn acc_197_reset_is_quick() {
    let lab = Lab::new(&[]);
    let reset = || {
        for _ in 0..200 {
            lab.post("/sms", sms(json!({}))).ok();
        }
        let took = lab.control("POST", "/reset", Value::Null)["us"].as_u64().unwrap();
        assert!(lab.inbox_is_empty() && lab.ledger().is_empty());
        took
    };
    let quickest = (0..30).map(|_| reset()).find(|took| *took < 5_000); // a busy machine delays some of them
    assert!(quickest.is_some(), "never empty within 5 ms");
    lab.post("/sms", sms(json!({}))).is(200);
}

#[test]
fn acc_200_requests_can_be_copied() {
    let lab = Lab::new(&[]);
    lab.post("/sms", sms(json!({"colour": 1}))).ok();
    let logged = lab.requests().pop().unwrap();
    assert_eq!(
        (logged["operation"].as_str(), logged["status"].as_u64(), logged["auth"].as_str()),
        (Some("sms.send"), Some(200), Some("x-service-api-key"))
    );
    assert!(logged["warnings"].to_string().contains("colour"));
    let copy = |name: &str| logged["copy"][name].as_str().unwrap().to_owned();
    assert!(copy("curl").starts_with("curl -X POST") && copy("curl").contains("$CPAAS_SMS_KEY"));
    assert!(copy("python").contains("sms.send") && copy("rust").contains("OperationId::SmsSend"));
}

#[test]
fn acc_200_a_stream_tells_what_happens() {
    let lab = Lab::new(&[]);
    let mut stream = lab.connect();
    stream.write_all(b"GET /_sandbox/stream HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "content-type: text/event-stream"));
    assert!(lines.any(|line| line == ": open"));
    lab.post("/sms", sms(json!({}))).ok();
    let mut kinds = lines.filter(|line| line.starts_with("event: "));
    assert_eq!(
        (kinds.next().unwrap(), kinds.next().unwrap()),
        ("event: message".to_owned(), "event: request".to_owned())
    );
}

#[test]
fn acc_201_a_burst_is_accepted_and_evictions_are_seen() {
    let lab = Lab::new(&["--messages=1000"]);
    let count = 20_000;
    std::thread::scope(|scope| {
        for part in 0..2 {
            let config = lab.client_config();
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
                                    .call(cpaas::sms::Send::new("Acme", to, "Hi").kind("auto"))
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
    let overview = lab.control("GET", "", Value::Null);
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
fn acc_202_strict_refuses_what_leans_on_a_default() {
    let lab = Lab::new(&["--strict"]);
    lab.post("/sms", sms(json!({}))).is(200);
    lab.post("/2fa/send", crate::otp::body()).is(200);
    let refused = |reply: crate::lab::Reply, id: &str| {
        assert_eq!(reply.status, 501, "{id}: {}", reply.text);
        assert!(
            reply.assumed().split(',').any(|one| one == id) && (id == "D38" || reply.text.contains(id)),
            "{id}: {}",
            reply.text
        );
    };
    let otp = |changes: Value| lab.post("/2fa/send", crate::otp::with(changes));
    let before = lab.ledger().len();
    refused(otp(json!({"channel": null})), "D08");
    refused(otp(json!({"guardTime": 60})), "D09");
    refused(otp(json!({"body": "x"})), "D11");
    refused(otp(json!({"voice": "male"})), "D12");
    refused(otp(json!({"service": 1})), "D15");
    refused(otp(json!({"limits": {"nothing": "x"}})), "D16");
    refused(otp(json!({"to": "+306912345678"})), "D29");
    refused(lab.get("/2fa/search/OTP1"), "D03");
    refused(lab.get("/2fa/search?page=x"), "D20");
    refused(lab.get("/2fa/usage/records?channel=sms"), "D60");
    refused(lab.get("/2fa/usage/records/monthly"), "D61");
    refused(lab.call("POST", "/2fa/send", &[], Some("{}")), "D23");
    refused(lab.post("/sms", sms(json!({"type": "x"}))), "D26");
    refused(lab.post("/sms", sms(json!({"to": ""}))), "D27");
    refused(lab.post("/sms", sms(json!({"from": ""}))), "D55");
    refused(lab.post("/sms.xml", sms(json!({}))), "D32");
    refused(lab.post("/smsbulk", sms(json!({"to": "x"}))), "D30");
    refused(lab.post("/smsbulk.xml", sms(json!({}))), "D65");
    refused(lab.get("/lookup?msisdn=12"), "D38");
    refused(lab.post("/messages/send", json!({})), "D25");
    assert_eq!(lab.ledger().len(), before, "nothing was done");
    let some = Lab::new(&["--strict=D08"]);
    refused(some.post("/2fa/send", crate::otp::with(json!({"channel": null}))), "D08");
    assert_eq!(some.post("/sms", sms(json!({"type": "x"}))).status, 200);
}

#[test]
fn acc_203_loopback_only() {
    let lab = Lab::new(&[]);
    assert!(lab.url.starts_with("http://127.0.0.1:"));
    let send = |lab: &Lab, url: &str| {
        lab.post("/sms", sms(json!({"callback": url}))).ok();
        lab.advance("1s");
        lab.attempts().pop().unwrap()["outcome"].clone()
    };
    for url in
        ["http://192.0.2.1/", "http://169.254.169.254/latest", "http://0.0.0.0:1/", "http://[2001:db8::1]/"]
    {
        assert_eq!(send(&lab, url), "host_not_allowed", "{url}");
    }
    lab.advance("2d");
    assert_eq!(lab.attempts().len(), 4, "a refused target is not tried again");
    let open = Lab::new(&["--allow-callback-host=192.0.2.1", "--callback-timeout=10ms"]);
    assert_ne!(send(&open, "http://192.0.2.1/"), "host_not_allowed");
}

#[test]
fn acc_204_cors_is_off_unless_asked_for() {
    let off = Lab::new(&[]).post("/sms", sms(json!({})));
    assert_eq!(off.header("access-control-allow-origin"), None);
    let lab = Lab::new(&["--cors=http://localhost:5173"]);
    let on = lab.post("/sms", sms(json!({})));
    assert_eq!(on.header("access-control-allow-origin"), Some("http://localhost:5173"));
    let preflight = lab.call("OPTIONS", "/sms", &[], None).is(200);
    assert!(preflight.header("access-control-allow-headers").unwrap().contains("x-service-api-key"));
}

#[test]
fn a_page_of_the_control_plane_with_another_method_is_405() {
    let lab = Lab::new(&[]);
    let pages = [
        ("", "GET"),
        ("/accounts", "GET, POST"),
        ("/accounts/AC1", "GET, PUT"),
        ("/messages/SM1/status", "POST"),
        ("/clock", "GET, POST"),
        ("/faults", "GET, PUT, DELETE"),
        ("/media", "PUT"),
        ("/stream", "GET"),
        ("/reset", "POST"),
    ];
    for (page, allowed) in pages {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
            if !allowed.split(", ").any(|one| one == method) {
                let reply = lab.call(method, &format!("/_sandbox{page}"), &[], None).is(405);
                let given = reply.header("allow").unwrap().split(',').filter(|one| *one != "HEAD");
                let mut given: Vec<&str> = given.collect();
                let mut allowed: Vec<&str> = allowed.split(", ").collect();
                given.sort_unstable();
                allowed.sort_unstable();
                assert_eq!(given, allowed, "{method} {page}");
            }
        }
    }
    for page in ["/clocks", "/accounts/AC1/x", "/messages/SM1"] {
        let reply = lab.call("GET", &format!("/_sandbox{page}"), &[], None).is(404);
        assert_eq!(reply.header("allow"), None);
    }
}
