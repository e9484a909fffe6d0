//! The axum extractor rejects forged tokens and invalid requests: always with the same response, with a reason for the log, and
//! without an event.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use cpaas::callback::axum::{Callback, Now};
use cpaas::callback::{
    CallbackRejected, Endpoint, Key, Keyring, Lifetime, Purpose, Received, Receiver, RejectionReason, Source,
};

const NOW: u64 = 1_700_000_000;
const SECRET: &str = "delivery secret one, 32 bytes or more";
const OTHER: &str = "delivery secret two, 32 bytes or more";
const CHAT: &[u8] = br#"{"messageId":"m-2","status":"Delivered","errorcode":0}"#;

fn keys() -> Keyring {
    Keyring::new([("k1", SECRET), ("k2", OTHER)]).unwrap()
}

fn receiver() -> Receiver {
    Receiver::new("shop", "https://shop.example/hooks").unwrap().delivery_keys(keys())
}

fn mint_at(keys: &Keyring, audience: &str, lifetime: Lifetime, now: u64) -> String {
    keys.mint(Purpose::DeliveryReport, audience, "b-7", lifetime, now).unwrap()
}

fn mint() -> String {
    mint_at(&keys(), "shop", Lifetime::Default, NOW)
}

fn query(token: &str) -> String {
    format!("/hooks?token={token}&msgid=m-1&status=sent&reference=b-7")
}

fn extract(receiver: &Receiver, method: &str, url: &str, body: Body) -> Result<Received, CallbackRejected> {
    let request = Request::builder().method(method).uri(url).header("Content-TYPE", "application/json");
    let request = request.extension(Now(NOW)).body(body).unwrap();
    let state = Arc::new(receiver.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(Callback::from_request(request, &state)).map(|Callback(received)| received)
}

/// The status, the number of headers and the body of a response.
fn outside(response: Response) -> (u16, usize, Bytes) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (parts, body) = response.into_parts();
    (parts.status.as_u16(), parts.headers.len(), runtime.block_on(to_bytes(body, 1 << 20)).unwrap())
}

#[track_caller]
fn refused(method: &str, url: &str, body: Body) -> RejectionReason {
    let refused = extract(&receiver(), method, url, body).unwrap_err();
    assert_eq!(outside(refused.into_response()), (403, 0, Bytes::new()), "{url}");
    refused.reason
}

#[test]
fn an_invalid_token_has_a_logged_reason_and_the_same_response() {
    let token = mint();
    assert_eq!(
        extract(&receiver(), "GET", &query(&token), Body::empty()).unwrap().event.message_id(),
        Some("m-1")
    );
    let ring = |kid: &str, secret: &str| Keyring::new([Key::new(kid, secret)]).unwrap();
    let with = |keys: &Keyring| query(&mint_at(keys, "shop", Lifetime::Default, NOW));
    let cases = [
        ("/hooks?msgid=m-1".to_owned(), RejectionReason::Absent),
        ("/hooks".to_owned(), RejectionReason::Absent),
        (query(""), RejectionReason::Absent),
        (format!("/hooks?Token={token}"), RejectionReason::Absent),
        (format!("{}&token=x", query(&token)), RejectionReason::Malformed),
        (format!("{}&%74oken={token}", query(&token)), RejectionReason::Malformed),
        (with(&ring("k9", SECRET)), RejectionReason::UnknownKey),
        (with(&ring("k1", OTHER)), RejectionReason::Altered),
        (query(&mint_at(&keys(), "shop", Lifetime::Seconds(60), NOW - 60)), RejectionReason::Expired),
        (query(&mint_at(&keys(), "shop", Lifetime::Default, NOW + 31)), RejectionReason::NotYetValid),
        (query(&mint_at(&keys(), "shop2", Lifetime::Default, NOW)), RejectionReason::OtherAudience),
        (query(&token).replace("=b-7", "=b-8"), RejectionReason::OtherReference),
    ];
    for (url, reason) in cases {
        assert_eq!(refused("GET", &url, Body::empty()), reason, "{url}");
    }
    for length in 1..token.len() {
        assert_eq!(
            refused("GET", &query(&token[..length]), Body::empty()),
            RejectionReason::Malformed,
            "{length}"
        );
    }
}

#[test]
fn a_token_with_any_byte_changed_is_rejected() {
    let token = mint();
    for at in 0..token.len() {
        for other in [char::from(token.as_bytes()[at] ^ 1), 'A', 'B'] {
            let changed = format!("{}{other}{}", &token[..at], &token[at + 1..]);
            if changed == token || Request::builder().uri(query(&changed)).body(()).is_err() {
                continue; // the URL is invalid, so no HTTP server accepts it
            }
            let reason = refused("GET", &query(&changed), Body::empty());
            let expected =
                [RejectionReason::Malformed, RejectionReason::Altered, RejectionReason::UnknownKey];
            assert!(expected.contains(&reason), "byte {at}: {reason}");
        }
    }
}

#[test]
fn a_token_of_another_purpose_is_rejected() {
    let endpoints =
        [Endpoint::new("/sms", [Source::SmsReport]), Endpoint::new("/chat", [Source::ChatReport])];
    let receiver = endpoints.into_iter().fold(receiver(), Receiver::endpoint);
    let chat = keys().mint(Purpose::ChatReport, "shop", "", Lifetime::Default, NOW).unwrap();
    let at = |path: &str, token: &str| {
        extract(&receiver, "POST", &format!("/hooks{path}?token={token}"), CHAT.into())
    };
    assert_eq!(at("/sms", &chat).unwrap_err().reason, RejectionReason::OtherPurpose);
    assert_eq!(at("/chat", &mint()).unwrap_err().reason, RejectionReason::OtherPurpose);
    assert_eq!(at("/else", &chat).unwrap_err().reason, RejectionReason::Endpoint);
    assert_eq!(at("/chat", &chat).unwrap().event.message_id(), Some("m-2"));
}

#[test]
fn other_methods_and_unreadable_bodies_are_rejected() {
    let token = mint();
    for method in ["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "FROB"] {
        assert_eq!(refused(method, &query(&token), Body::empty()), RejectionReason::Method, "{method}");
    }
    let chunks = |items: Vec<Result<&'static [u8], std::io::Error>>| {
        Body::from_stream(futures_util::stream::iter(items))
    };
    let broken = chunks(vec![Ok(&CHAT[..9]), Err(std::io::ErrorKind::ConnectionReset.into())]);
    assert_eq!(refused("POST", &query(&token), broken), RejectionReason::Body);
    let endless = chunks((0..1_000).map(|_| Ok(&[b'x'; 65_536][..])).collect());
    assert_eq!(refused("POST", &query(&token), endless), RejectionReason::Body);

    let chat = keys().mint(Purpose::ChatReport, "shop", "", Lifetime::Default, NOW).unwrap();
    let url = format!("/hooks?token={chat}");
    let complete = chunks(vec![Ok(&CHAT[..9]), Ok(&CHAT[9..])]);
    assert_eq!(extract(&receiver(), "POST", &url, complete).unwrap().event.message_id(), Some("m-2"));
    for odd in [&b"\xff\xfe\x00"[..], b"[1,2]", b"null", &[b'['; 100_000], b"{\"messageId\":"] {
        assert_eq!(
            extract(&receiver(), "POST", &url, Body::from(odd.to_vec())).unwrap().event.kind(),
            "unknown"
        );
    }
}

#[test]
fn escapes_in_token_and_reference_are_decoded() {
    let token = keys().mint(Purpose::DeliveryReport, "shop", "κ +&?#/%", Lifetime::Default, NOW).unwrap();
    let dots = token.replace('.', "%2E");
    let reference = "%CE%BA%20%2B%26%3F%23%2F%25";
    for url in [
        format!("/hooks?to%6ben={dots}&reference={reference}"),
        format!("http://10.0.0.7:8080/hooks?token={token}&reference={}", reference.replace("%20", "+")),
        format!("/a/../hooks%2e?token={token}&reference=x&reference={}", reference.to_lowercase()),
    ] {
        let received = extract(&receiver(), "GET", &url, Body::empty()).unwrap();
        assert_eq!(received.event.reference(), Some("κ +&?#/%"), "{url}");
    }
    let other = format!("/hooks?token={token}&reference=%FF");
    assert_eq!(refused("GET", &other, Body::empty()), RejectionReason::OtherReference);
}
