//! The rule for URLs against the test data of the WHATWG URL Standard, which the crate `url` contains.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use cpaas::callback::Receiver;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Case {
    input: String,
    #[serde(default)]
    failure: bool,
}

/// The cases that begin with `http:` or `https:`.
fn cases() -> Vec<Case> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let package =
        metadata["packages"].as_array().unwrap().iter().find(|package| package["name"] == "url").unwrap();
    let folder: PathBuf = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().into();
    let text = std::fs::read_to_string(folder.join("tests/urltestdata.json")).unwrap();
    let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
    let cases =
        entries.into_iter().filter(Value::is_object).map(|entry| serde_json::from_value(entry).unwrap());
    let is_web = |case: &Case| {
        let scheme = case.input.split(':').next().unwrap_or_default();
        case.input.contains(':')
            && (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
    };
    cases.filter(is_web).collect()
}

/// Each member that must be a URL: the operation, the problem code, and the request with a URL.
type Member = (&'static str, &'static str, fn(&str) -> Value);

const MEMBERS: [Member; 14] = [
    (
        "sms.send",
        "sms.callback.invalid",
        |url| json!({"from": "Acme", "to": "306912345678", "text": "Hi", "callback": url}),
    ),
    (
        "messages.send",
        "messenger_b.media_url.invalid",
        |url| json!({"destination": "306912345678", "messenger_b": {"type": "promotional", "text": "Hi", "mediaUrl": url}}),
    ),
    ("messages.send", "messenger_b.button.action.invalid", |url| {
        json!({"destination": "306912345678", "messenger_b": {"type": "promotional", "text": "Hi", "mediaUrl": "https://a.b/c.png",
            "button": {"caption": "Open", "action": url}}})
    }),
    (
        "messages.send",
        "messenger_b.file.media_url.required",
        |url| json!({"destination": "306912345678", "messenger_b": {"type": "promotional", "file": {"mediaUrl": url, "fileName": "a.pdf"}}}),
    ),
    (
        "messages.send",
        "messenger_c.media.url.required",
        |url| json!({"destination": "306912345678", "messenger_c": {"photo": {"url": url}}}),
    ),
    (
        "messages.send",
        "business_chat.image.file_url.invalid",
        |url| json!({"destination": "306912345678", "business_chat": {"image": {"fileUrl": url, "thumbnailUrl": "https://a.b/c.png"}}}),
    ),
    (
        "messages.send",
        "business_chat.media.thumbnail_url",
        |url| json!({"destination": "306912345678", "business_chat": {"image": {"fileUrl": "https://a.b/c.png", "thumbnailUrl": url}}}),
    ),
    (
        "sms.send_bulk",
        "sms.callback.invalid",
        |url| json!({"from": "Acme", "to": "306912345678", "text": "Hi", "callback": url}),
    ),
    (
        "messages.send",
        "messenger_c.media.url.required",
        |url| json!({"destination": "306912345678", "messenger_c": {"document": {"url": url}}}),
    ),
    (
        "messages.send",
        "messenger_c.media.url.required",
        |url| json!({"destination": "306912345678", "messenger_c": {"video": {"url": url}}}),
    ),
    (
        "messages.send",
        "messenger_c.media.url.required",
        |url| json!({"destination": "306912345678", "messenger_c": {"voice": {"url": url}}}),
    ),
    ("messages.send", "business_chat.card.media.file_url", |url| card(&json!({"fileUrl": url}))),
    ("messages.send", "business_chat.media.thumbnail_url", |url| {
        card(&json!({"fileUrl": "https://a.b/c.png", "thumbnailUrl": url}))
    }),
    (
        "messages.send",
        "business_chat.representative.avatar",
        |url| json!({"destination": "306912345678", "business_chat": {"text": "Hi", "representative": {"avatarImage": url}}}),
    ),
];

/// The webhooks, whose URL must begin with `https`, except on the machine itself.
const WEBHOOKS: [Member; 2] = [
    ("webhooks.messenger_b.set", "webhook.messenger_b.url", |url| json!({"url": url, "ta": "1"})),
    (
        "webhooks.messenger_c.set",
        "webhook.messenger_c.url",
        |url| json!({"bot_id": "bot1:a", "url": url, "ta": "1"}),
    ),
];

fn card(content_info: &Value) -> Value {
    let media = json!({"height": "TALL", "contentInfo": content_info});
    json!({"destination": "306912345678", "business_chat": {"standaloneCard": {"title": "Shoe", "media": media}}})
}

#[test]
fn the_message_of_a_refused_url_names_the_reason() {
    let callback = |url: &str| json!({"from": "Acme", "to": "306912345678", "text": "Hi", "callback": url});
    for (url, reason) in [
        ("https://user:pw@a.b/dlr", "it must not contain a user name or a password"),
        ("a.b/dlr", "it must start with https:// or http://"),
        ("https://a.b:65536/", "the port must be from 1 to 65535"),
        ("https://256.1.1.1/", "the host must be a domain name or an IP address"),
        ("https://münchen.example/", "a host that is not ASCII must be written in Punycode"),
        ("https://a.b/\u{3000}", "it must not contain white space or control characters"),
    ] {
        let report = cpaas::validate_json("sms.send", &callback(url).to_string()).unwrap();
        let problem = &report.errors[0];
        assert_eq!(problem.message, format!("must be an absolute http or https URL: {reason}"), "{url}");
        assert_eq!(problem.params["reason"], *reason);
    }
}

fn codes(operation: &str, request: &Value) -> Vec<String> {
    let report = cpaas::validate_json(operation, &request.to_string()).unwrap();
    report.errors.iter().chain(&report.warnings).map(|problem| problem.code.clone().into_owned()).collect()
}

/// Why the rule refuses a URL that the standard accepts; `docs/specification.md` has a row for each reason.
fn reason(url: &str, is_callback: bool) -> &'static str {
    let Some((_, rest)) = url.split_once("://") else { return "slashes" };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (user, address) =
        authority.rsplit_once('@').map_or(("", authority), |(user, address)| (user, address));
    let (host, port) = address.rsplit_once(':').filter(|_| !address.ends_with(']')).unwrap_or((address, "1"));
    let labels: Vec<&str> = host.trim_end_matches('.').split('.').collect();
    if rest.chars().any(|character| character.is_whitespace() || character.is_control()) {
        "white space"
    } else if authority.contains('\\') || host.contains('\\') {
        "slashes"
    } else if is_callback && authority.contains('@') {
        "credentials"
    } else if !user.is_ascii() || !host.is_ascii() {
        "not ASCII"
    } else if host.contains('%') {
        "percent"
    } else if !matches!(port.parse(), Ok(1_u16..)) {
        "port"
    } else if labels.iter().any(|label| label.is_empty()) || host.ends_with("..") {
        "empty label"
    } else if labels
        .last()
        .is_some_and(|label| label.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'x'))
    {
        "IPv4 address"
    } else if host.bytes().any(|byte| !(byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))) {
        "sign"
    } else {
        "none"
    }
}

#[test]
fn each_member_accepts_no_url_that_the_standard_refuses() {
    let cases = cases();
    let refused: Vec<&Case> = cases.iter().filter(|case| case.failure).collect();
    assert!(refused.len() > 190, "{}", refused.len());
    for (operation, code, request) in MEMBERS.into_iter().chain(WEBHOOKS) {
        assert!(
            !codes(operation, &request("https://shop.example/a.png")).contains(&code.to_owned()),
            "{code}"
        );
        for case in &refused {
            assert!(
                codes(operation, &request(&case.input)).contains(&code.to_owned()),
                "{code}: {:?}",
                case.input
            );
        }
    }
    for case in &refused {
        assert!(Receiver::new("shop", &case.input).is_err(), "public URL: {:?}", case.input);
    }
    let members = MEMBERS.len() + WEBHOOKS.len();
    println!("{} URLs that the standard refuses: {members} members refuse each", refused.len());
}

#[test]
fn each_valid_url_that_is_refused_has_a_documented_reason() {
    let cases = cases();
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/specification.md"))
            .unwrap();
    let mut reasons = BTreeMap::<&str, usize>::new();
    let valid: Vec<&Case> = cases.iter().filter(|case| !case.failure).collect();
    for (operation, code, request) in MEMBERS {
        for case in &valid {
            if codes(operation, &request(&case.input)).contains(&code.to_owned()) {
                let reason = reason(&case.input, code == "sms.callback.invalid");
                assert_ne!(reason, "none", "{code}: {:?}", case.input);
                assert!(
                    page.contains(&format!("| {reason} |")),
                    "docs/specification.md has no row for {reason:?}"
                );
                *reasons.entry(reason).or_default() += usize::from(code == "sms.callback.invalid");
            }
        }
    }
    println!("{} valid URLs, as a callback: {reasons:?}", valid.len());
}
