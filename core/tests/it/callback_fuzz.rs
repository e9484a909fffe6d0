//! Random and mutated requests cause no panic, and a request without a valid token produces no event.
//!
//! `CPAAS_CASES` sets the number of cases. The default suits CI; `tests/nightly` runs a million.
#![cfg(feature = "callback")]

use cpaas::callback::{
    Endpoint, Event, Keyring, Purpose, Receiver, RejectionReason, Source, Template, TemplateFormat, Values,
    Variable, token_url,
};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

const NOW: u64 = 1_700_000_000;

fn cases(default: u32) -> u32 {
    std::env::var("CPAAS_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(default)
}

fn runner(default: u32) -> TestRunner {
    let config = ProptestConfig {
        cases: cases(default),
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..Default::default()
    };
    TestRunner::new(config)
}

fn keyring(kid: &str, byte: u8) -> Keyring {
    Keyring::new([(kid, [byte; 32])]).unwrap()
}

struct ValidRequest {
    method: &'static str,
    url: String,
    body: Vec<u8>,
    reference: &'static str,
}

fn receiver() -> Receiver {
    Receiver::new("shop", "https://shop.example/cb")
        .unwrap()
        .delivery_keys(keyring("k1", 1))
        .inbound_keys(keyring("i1", 2))
        .endpoint(Endpoint::new("/sms", [Source::SmsReport]))
        .endpoint(
            Endpoint::new("/t", [Source::SmsReport])
                .query_template("id=<msgid>&tag=$reference$&net=~mcc~~mnc~"),
        )
        .endpoint(
            Endpoint::new("/j", [Source::SmsReport])
                .body_template("{\"tag\":\"~reference~\",\"id\":\"~msgid~\"}", TemplateFormat::Json),
        )
        .endpoint(Endpoint::new("/rest", []))
}

fn valid_requests(receiver: &Receiver) -> Vec<ValidRequest> {
    let token = |source: Source, reference: &str| {
        let url = receiver.url(source, reference, NOW).unwrap();
        url.rsplit_once("token=").unwrap().1.to_owned()
    };
    let (sms, chat, inbound) =
        (token(Source::SmsReport, "tag 7"), token(Source::ChatReport, ""), token(Source::MessengerB, ""));
    let post = |url: String, body: &str, reference| ValidRequest {
        method: "POST",
        url,
        body: body.into(),
        reference,
    };
    let get = |url: String| ValidRequest { method: "GET", url, body: Vec::new(), reference: "tag 7" };
    vec![
        get(format!("/cb/sms?msgid=m-1&status=sent&token={sms}&reference=tag%207")),
        get(format!("https://shop.example/cb/t?id=m-1&tag=tag%207&net=20201&token={sms}")),
        post(format!("/cb/j?token={sms}"), "{\"tag\":\"tag 7\",\"id\":\"m-1\"}", "tag 7"),
        post(
            format!("/cb/rest?token={chat}"),
            "{\"messageId\":\"c\",\"status\":\"Sent\",\"errorcode\":0}",
            "",
        ),
        post(format!("/cb/rest?token={inbound}"), "{\"event\":\"seen\",\"user\":{\"id\":\"u\"}}", ""),
        post(format!("/cb/rest?token={inbound}"), "{\"update_id\":1,\"message\":{\"text\":\"x\"}}", ""),
    ]
}

/// A change of a text: the offset, the number of removed bytes, and the replacement.
type Edit = (usize, usize, Vec<u8>);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let interesting = prop_oneof![
        Just(b"&".to_vec()),
        Just(b"token=".to_vec()),
        Just(b"&reference=".to_vec()),
        Just(b"%".to_vec()),
        Just(b"%00".to_vec()),
        Just(b"#".to_vec()),
        Just(b".".to_vec()),
        Just(b"A".to_vec()),
        Just("\u{e9}".as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec((any::<usize>(), 0_usize..6, interesting), 0..4)
}

fn apply(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    edits.iter().fold(text.to_vec(), |mut bytes, (at, length, insert)| {
        let start = at % (bytes.len() + 1);
        let end = (start + length).min(bytes.len());
        bytes.splice(start..end, insert.iter().copied());
        bytes
    })
}

/// The value of the only query parameter `token`, parsed without the code under test.
fn token_of(url: &str) -> Option<String> {
    let query = url.split('#').next()?.split_once('?')?.1.to_owned();
    let mut tokens = query.split('&').filter_map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(name) == "token").then(|| decode(value))
    });
    tokens.next().filter(|_| tokens.next().is_none())
}

fn decode(text: &str) -> String {
    let mut bytes = text.bytes().peekable();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        let pair: Vec<u8> = if byte == b'%' { bytes.clone().take(2).collect() } else { Vec::new() };
        match std::str::from_utf8(&pair).ok().filter(|pair| pair.len() == 2 && !pair.contains('+')) {
            Some(pair) if u8::from_str_radix(pair, 16).is_ok() => {
                out.push(u8::from_str_radix(pair, 16).unwrap());
                bytes.next();
                bytes.next();
            }
            _ => out.push(if byte == b'+' { b' ' } else { byte }),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn a_mutated_request_is_accepted_only_with_its_own_token_and_reference() {
    let receiver = receiver();
    let valid = valid_requests(&receiver);
    let mut accepted = 0_u32;
    let mut rejected = 0_u32;
    let strategy = (0..valid.len(), edits(), edits());
    let mut check = |(which, url_edits, body_edits): (usize, Vec<Edit>, Vec<Edit>)| {
        let request = &valid[which];
        let url = String::from_utf8_lossy(&apply(request.url.as_bytes(), &url_edits)).into_owned();
        let body = apply(&request.body, &body_edits);
        match receiver.receive(request.method, &url, &[], &body, NOW) {
            Ok(received) => {
                accepted += 1;
                // Only the minted token is accepted, and an SMS token only for its own message.
                prop_assert_eq!(token_of(&url), token_of(&request.url));
                if let Event::SmsReport(report) = received.event {
                    prop_assert_eq!(report.reference.as_deref().unwrap_or_default(), request.reference);
                }
                prop_assert_eq!(
                    received.claims.purpose == Purpose::DeliveryReport,
                    request.reference == "tag 7"
                );
            }
            Err(error) => {
                rejected += 1;
                prop_assert_eq!(error.status(), 403);
                let same_token = token_of(&url) == token_of(&request.url);
                let is_expected = matches!(
                    error.reason,
                    RejectionReason::OtherReference
                        | RejectionReason::OtherPurpose
                        | RejectionReason::Endpoint
                );
                prop_assert!(!same_token || is_expected, "{} for {}", error.reason, url);
            }
        }
        Ok(())
    };
    let cell = std::cell::RefCell::new(&mut check);
    runner(4_000).run(&strategy, |case| (cell.borrow_mut())(case)).unwrap();
    assert!(accepted > 100 && rejected > 100, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn forged_requests_produce_no_event() {
    let receiver = receiver();
    // An attacker can know the format, the key id and the time, and can sign with another key.
    let forger = keyring("k1", 9);
    let purposes = [Purpose::DeliveryReport, Purpose::Inbound, Purpose::ChatReport];
    let strategy = (
        0..3_usize,
        "[!-~][ -~]{0,11}",
        "(/cb)?/(sms|t|j|rest)",
        ".{0,40}",
        prop::collection::vec(any::<u8>(), 0..200),
    );
    let result = runner(1_500).run(&strategy, |(purpose, reference, path, query, body)| {
        let token = forger.mint(purposes[purpose], "shop", &reference, Default::default(), NOW).unwrap();
        let signed = format!("{path}?token={token}&reference=");
        let url = token_url(&format!("https://shop.example{path}"), &token).unwrap();
        for url in [format!("{signed}{query}"), url, format!("{path}?{query}"), query.clone()] {
            prop_assert!(receiver.receive("POST", &url, &[], &body, NOW).is_err());
        }
        Ok(())
    });
    result.unwrap();
}

#[test]
fn templates_read_the_values_that_they_rendered() {
    let value = "\\PC{1,20}";
    let strategy = (value, value, "[0-9]{3}", "[0-9]{2,3}", 0..3_usize);
    let result = runner(1_000).run(&strategy, |(id, reference, mcc, mnc, which)| {
        let (text, format) = [
            ("https://shop.example/d/<mcc>?id=~msgid~&r=$reference$&n=~mcc~~mnc~", TemplateFormat::Url),
            ("{\"id\":\"~msgid~\",\"r\":[\"<reference>\"],\"n\":$mcc$$mnc$}", TemplateFormat::Json),
            ("r=~reference~&id=<msgid>&n=$mcc$-$mnc$", TemplateFormat::Form),
        ][which];
        let template = Template::parse(text, format);
        let values = Values::from([
            (Variable::MessageId, id),
            (Variable::Reference, reference),
            (Variable::Mcc, mcc),
            (Variable::Mnc, mnc),
        ]);
        let rendered = template.render(&values);
        prop_assert_eq!(template.read(&rendered), Some(values), "{}", rendered);
        Ok(())
    });
    result.unwrap();
}

#[test]
fn any_text_is_parsed_as_a_template_without_a_panic() {
    let strategy =
        ("[~<>$a-z%&=?\\\\\"{}#:/\u{e9}]{0,60}", "[~<>$a-z%&=?\\\\\"{}#:/\u{e9}]{0,60}", 0..3_usize);
    let result = runner(2_000).run(&strategy, |(text, received, which)| {
        let template =
            Template::parse(&text, [TemplateFormat::Url, TemplateFormat::Json, TemplateFormat::Form][which]);
        let bare = template.variables().next().is_none();
        prop_assert!(!bare || template.render(&Values::new()) == text);
        let _ = template.read(&received);
        Ok(())
    });
    result.unwrap();
}
