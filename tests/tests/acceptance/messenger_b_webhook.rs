//! Rows 176 to 182 and 188: the webhook of `messenger_b`.

use cpaas::error::Outcome;
use cpaas::webhooks::messenger_b::SetMessengerBWebhook;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};

use crate::constant_receiver::Target;
use crate::harness::Reply;
use crate::message_harness::{MessageHarness, PLAIN};
use crate::scripted_receiver::Scripted;

const EVENTS: [&str; 6] =
    ["delivered", "seen", "failed", "subscribed", "unsubscribed", "conversation_started"];

fn register(harness: &MessageHarness, body: &Value) -> Reply {
    harness.post(&format!("/pa/set_webhook?ta={}", harness.traffic_account()), body)
}

/// Registers a webhook, and deletes the record of its check.
fn registered(harness: &MessageHarness, more: &Value) -> Target {
    let target = Target::new();
    let mut body = json!({"url": target.url});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    assert_eq!(register(harness, &body).ok()["status"], 0);
    target.forget();
    target
}

fn happens(harness: &MessageHarness, event: &str, user: &str) -> Value {
    let body = json!({"event": event, "user": user, "name": "Ann", "photo": "https://p.example/ann.png"});
    harness.control("POST", "/webhook-events", &body)
}

fn writes(harness: &MessageHarness, more: &Value) {
    let mut message = json!({"channel": "messenger_b", "from": PLAIN, "text": "Hello"});
    message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    harness.inbound(&message);
}

/// Checks that a registration has a status other than 0 and registers nothing.
#[track_caller]
fn is_refused(harness: &MessageHarness, url: &str) {
    let reported = register(harness, &json!({"url": url})).is(200).json();
    assert_ne!(reported["status"], 0, "{url}");
    assert!(reported["status"].is_i64() && reported["status_message"].is_string(), "{reported}");
    assert_eq!(happens(harness, "seen", PLAIN)["delivered"], false, "nothing is registered");
}

#[test]
fn acc_176_the_webhook_is_checked_before_it_is_registered() {
    let harness = MessageHarness::new();
    let target = Target::new();
    let reported = register(&harness, &json!({"url": target.url})).ok();
    assert_eq!(reported["status"], 0);
    assert!(reported["status_message"].is_string());
    assert_eq!(reported["event_types"], json!(EVENTS));
    assert_eq!(target.received().len(), 1, "the check came before the response");
    assert_eq!(target.received()[0].method, "POST");
    let set = harness.client().call(SetMessengerBWebhook::new(target.url.clone())).unwrap().value;
    assert_eq!((set.status, set.event_types.unwrap().len()), (0, 6));
    assert_eq!(target.received().len(), 2);
}

#[test]
fn acc_176_the_token_and_the_traffic_account_must_belong_together() {
    let harness = MessageHarness::new();
    let target = Target::new();
    let ask = |token: &str, ta: &str, url: &str| {
        let header = [("X-Channel-Auth-Token".to_owned(), token.to_owned())];
        let body = json!({"url": url}).to_string();
        harness.call("POST", &format!("/pa/set_webhook?ta={ta}"), &header, Some(&body)).is(200)
    };
    let (token, own) = (harness.key("messenger_b_token"), harness.traffic_account());
    let other = "0f8fad5b-d9cb-469f-a165-70867728950e";
    let wrong = ask("wrong", own, &target.url);
    assert!(wrong.assumes("D56"));
    assert_eq!(wrong.json()["status"], 2);
    assert_ne!(ask(token, other, &target.url).json()["status"], 0);
    let differs = ask(token, own, &format!("{}?ta={other}", target.url));
    assert!(differs.assumes("D58"));
    assert_ne!(differs.json()["status"], 0);
    assert!(target.received().is_empty());
    assert_eq!(ask(token, own, &format!("{}?ta={own}", target.url)).json()["status"], 0);
}

#[test]
fn acc_177_only_status_200_passes_the_check() {
    for status in [201, 204, 302, 404, 500] {
        let harness = MessageHarness::new();
        let target = Target::responding(Scripted::Status(status));
        is_refused(&harness, &target.url);
        assert_eq!(target.received().len(), 1, "{status}: checked once");
        let error = harness.client().call(SetMessengerBWebhook::new(target.url.clone())).unwrap_err();
        assert_eq!(error.outcome, Outcome::Rejected);
        assert!(error.code.is_some_and(|code| code != 0));
    }
    let harness = MessageHarness::with(&["--callback-timeout=200ms"]);
    is_refused(&harness, &Target::responding(Scripted::Hang).url);
    // Bound but not listening: no other process receives the port, and it refuses connections.
    let nobody = tokio::net::TcpSocket::new_v4().unwrap();
    nobody.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    is_refused(&harness, &format!("http://{}/hook", nobody.local_addr().unwrap()));
    let (chain, key) = self_signed();
    let target = Target::over_tls(server(chain, key));
    is_refused(&MessageHarness::new(), &target.url);
    assert!(target.received().is_empty(), "the certificate is refused before a request is sent");
}

#[test]
fn acc_178_an_empty_url_removes_the_webhook() {
    let harness = MessageHarness::new();
    let target = registered(&harness, &json!({}));
    writes(&harness, &json!({}));
    assert_eq!(target.received().len(), 1);
    let reported = register(&harness, &json!({"url": ""})).ok();
    assert_eq!((&reported["status"], &reported["event_types"]), (&json!(0), &json!([])));
    target.forget();
    writes(&harness, &json!({}));
    for event in EVENTS {
        assert_eq!(happens(&harness, event, PLAIN)["delivered"], false);
    }
    assert!(target.received().is_empty());
    assert_eq!(harness.events("inbound.not_configured").len(), 1);
}

#[test]
fn acc_179_event_types_selects_events_and_defaults_to_all() {
    let harness = MessageHarness::new();
    let target = Target::new();
    let ask = |events: Value| register(&harness, &json!({"url": target.url, "event_types": events}));
    assert_eq!(register(&harness, &json!({"url": target.url})).ok()["event_types"], json!(EVENTS));
    assert_eq!(ask(json!(["seen", "failed"])).ok()["event_types"], json!(["seen", "failed"]));
    target.forget();
    let unknown = ask(json!(["seen", "typing"])).is(200);
    assert!(unknown.assumes("D66"));
    assert_ne!(unknown.json()["status"], 0);
    assert!(target.received().is_empty(), "refused before the check");
    assert_eq!(happens(&harness, "seen", PLAIN)["delivered"], true, "the earlier registration is kept");
}

#[test]
fn acc_180_user_data_is_sent_only_if_requested() {
    for (more, name, photo) in [
        (json!({}), false, false),
        (json!({"send_name": false, "send_photo": false}), false, false),
        (json!({"send_name": true}), true, false),
        (json!({"send_name": true, "send_photo": true}), true, true),
    ] {
        let harness = MessageHarness::new();
        let target = registered(&harness, &more);
        happens(&harness, "subscribed", PLAIN);
        writes(&harness, &json!({"name": "Ann", "photo": "https://p.example/ann.png"}));
        assert_eq!(target.received().len(), 2);
        for reported in target.received() {
            assert_eq!(
                (reported.body.contains("Ann"), reported.body.contains("ann.png")),
                (name, photo),
                "{more}"
            );
        }
    }
}

#[test]
fn acc_181_only_events_of_the_selected_types_are_delivered() {
    let harness = MessageHarness::new();
    for subscribed in EVENTS {
        let target = registered(&harness, &json!({"event_types": [subscribed]}));
        for event in EVENTS {
            assert_eq!(
                happens(&harness, event, PLAIN)["delivered"],
                event == subscribed,
                "{event} of {subscribed}"
            );
        }
        let bodies = target.bodies();
        assert_eq!(bodies.len(), 1);
        assert_eq!((&bodies[0]["event"], &bodies[0]["_sandbox"]), (&json!(subscribed), &json!(true)));
        let attempt = harness.attempts().pop().unwrap();
        assert!(attempt["assumed"].as_array().unwrap().contains(&json!("D48")), "{attempt}");
    }
    let target = registered(&harness, &json!({}));
    let ids: Vec<String> = [PLAIN, "9995000001"]
        .iter()
        .map(|to| harness.sent(to, &json!({"messenger_b": {"type": "promotional", "text": "Hi"}})))
        .collect();
    harness.advance(10);
    for (id, event) in ids.iter().zip(["delivered", "failed"]) {
        let bodies = target.bodies();
        let reported: Vec<_> = bodies.iter().filter(|body| body["message_id"] == *id).collect();
        assert_eq!(reported.len(), 1, "{event}");
        assert_eq!(reported[0]["event"], event);
    }
}

#[test]
fn acc_182_the_same_user_message_is_delivered_once() {
    let harness = MessageHarness::new();
    let target = registered(&harness, &json!({}));
    for _ in 0..3 {
        writes(&harness, &json!({"id": "m-1"}));
    }
    assert_eq!(target.received().len(), 1);
    writes(&harness, &json!({"id": "m-2"}));
    assert_eq!(target.received().len(), 2);
    assert_eq!(harness.events("inbound.duplicate").len(), 2);
}

#[test]
fn acc_188_a_webhook_url_must_be_https_with_a_trusted_certificate_or_loopback() {
    let (root, chain, key) = issued();
    let place = std::env::temp_dir().join(format!("cpaas-root-{}.pem", std::process::id()));
    std::fs::write(&place, root).unwrap();
    let harness = MessageHarness::with(&[&format!("--callback-ca={}", place.display())]);
    let target = Target::over_tls(server(chain, key));
    assert_eq!(register(&harness, &json!({"url": target.url})).ok()["status"], 0);
    assert_eq!(target.received().len(), 1);
    std::fs::remove_file(&place).unwrap();
    let plain = Target::new();
    assert_eq!(register(&harness, &json!({"url": plain.url})).ok()["status"], 0, "loopback");
    let fresh = MessageHarness::new();
    for url in ["http://hooks.example/a", "http://10.0.0.1/a", "ftp://127.0.0.1/a", "hooks.example", "/a"] {
        is_refused(&fresh, url);
    }
    assert!(fresh.attempts().is_empty(), "none of them was called");
}

type Chain = Vec<rustls::pki_types::CertificateDer<'static>>;

fn server(chain: Chain, key: KeyPair) -> ServerConfig {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    config.with_no_client_auth().with_single_cert(chain, key).unwrap()
}

fn self_signed() -> (Chain, KeyPair) {
    let key = KeyPair::generate().unwrap();
    let certificate =
        CertificateParams::new(vec!["localhost".to_owned()]).unwrap().self_signed(&key).unwrap();
    (vec![certificate.der().clone()], key)
}

/// A root certificate in PEM form, a certificate for `localhost` that it signed, and the key of that certificate.
fn issued() -> (String, Chain, KeyPair) {
    let root_key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = params.self_signed(&root_key).unwrap();
    let issuer = Issuer::new(params, root_key);
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &issuer).unwrap();
    (root.pem(), vec![certificate.der().clone()], key)
}
