//! The sandbox and the library's validation judge the same: a few thousand requests, each a valid one with one or two
//! members changed, are sent as they stand and validated as they stand.

use std::collections::{BTreeMap, BTreeSet};

use cpaas::OperationId;
use cpaas::wire::WireRequest;
use serde_json::{Map, Value, json};

use crate::lab::Lab;
use crate::mutations::{Base, bases, mutations};

/// Warnings of validation about what the sandbox refuses: validation warns where the specification is silent, the sandbox
/// must decide, and does so by the labelled default in the comment.
const STRICTER: &[&str] = &[
    "failover.type.missing",       // D5 shows `Timeout`
    "failover.type.unknown",       // D5 shows `Timeout`
    "msg.destination.not_phone",   // D29
    "otp.body.no_code",            // D11
    "otp.bucket.number",           // D15
    "otp.channel.unknown",         // D15
    "otp.date.order",              // D15
    "otp.guard_time.invalid",      // D09
    "otp.limits.empty",            // D15
    "otp.page",                    // D20
    "otp.page_size",               // D20
    "otp.to.not_phone",            // D29
    "otp.workflow.interval",       // D15
    "sms.date.order",              // D27
    "sms.sender.alnum_too_long",   // D55
    "sms.sender.numeric_too_long", // D55
    "sms.to.length",               // D29
    "sms.usage.missing",           // D27
];

/// What the sandbox refuses without any warning of validation: the operation, and a part of the refusal.
const KNOWN: &[(&str, &str)] = &[
    // The client writes these numbers as strings, which the wire has; validation sees the neutral form.
    ("otp.limits.create", "].max is required, a string"),
    ("otp.limits.update", "].max is required, a string"),
    ("otp.workflows.create", "].interval must be whole seconds in a string"),
    ("otp.workflows.update", "].interval must be whole seconds in a string"),
    // An update with an empty list: malformed (D15).
    ("otp.limits.update", "holds no bucket"),
    ("otp.workflows.update", "holds no channel"),
    // Row 96.
    ("sms.send", "without user information"),
    // D29.
    ("messages.send_bulk", "7 to 15 digits"),
];

/// A query holds text only: other members are left out.
fn query(members: &Value) -> Option<String> {
    let map: &Map<String, Value> = members.as_object()?;
    let encode = |text: &str| {
        text.bytes()
            .map(|byte| {
                if byte.is_ascii_alphanumeric() {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02X}")
                }
            })
            .collect::<String>()
    };
    let pairs: Option<Vec<String>> =
        map.iter().map(|(name, value)| Some(format!("{name}={}", encode(value.as_str()?)))).collect();
    Some(pairs?.join("&"))
}

/// The neutral request, as a server reads it; `None` where it cannot be read.
fn neutral(base: &Base, members: &Value) -> Option<String> {
    let operation = OperationId::find(base.id).unwrap();
    let pattern = operation.meta().path;
    let bind = |(pattern, given): (&str, &str)| {
        let (head, rest) = pattern.split_once('{')?;
        Some((rest.trim_end_matches('}').to_owned(), given.strip_prefix(head)?.to_owned()))
    };
    let pattern = pattern.strip_suffix(".json").unwrap_or(pattern);
    let path: Vec<(String, String)> = pattern.split('/').zip(base.path.split('/')).filter_map(bind).collect();
    let path: Vec<(&str, &str)> = path.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let (mut pairs, mut body) = (Vec::new(), String::new());
    if base.method == "GET" {
        let map = members.as_object()?;
        pairs =
            map.iter().filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect();
    } else {
        body = members.to_string();
    }
    let request = WireRequest::new(&path, &pairs, body.as_bytes());
    operation.decode_request(&request).ok().map(std::borrow::Cow::into_owned)
}

enum Judged {
    Accepted,
    /// For its form.
    Refused(String),
    /// For the state of the account.
    State,
}

fn judge(lab: &Lab, base: &Base, members: &Value) -> Option<Judged> {
    let reply = if base.method == "GET" {
        let query = query(members)?;
        if query.len() > 60_000 {
            return None;
        }
        lab.get(&format!("{}?{query}", base.path))
    } else {
        lab.send(base.method, &base.path, members.clone())
    };
    let body = reply.json();
    Some(match reply.status {
        200 if base.id.starts_with("webhooks.messenger_b") && body["status"] != 0 => {
            match body["status"].as_i64() {
                Some(1) => Judged::State,
                _ => Judged::Refused(reply.text),
            }
        }
        200 => Judged::Accepted,
        400 if reply.text.contains("Invalid code") => Judged::State,
        400 => Judged::Refused(reply.text),
        _ => Judged::State,
    })
}

#[test]
fn the_sandbox_refuses_what_validation_refuses_and_nothing_else() {
    let lab = Lab::new(&["--unknown-limit=ignore", "--conversion"]);
    let mut differences: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut count, mut met) = (0, BTreeSet::new());
    for base in bases(&lab) {
        for (label, members) in mutations(&base.members) {
            lab.control("POST", "/reset", Value::Null);
            let Some(judged) = judge(&lab, &base, &members) else { continue };
            count += 1;
            let operation = OperationId::find(base.id).unwrap();
            let report = neutral(&base, &members).map(|text| operation.validate_json(&text));
            let errors: Vec<&str> = match &report {
                Some(report) => report.errors.iter().map(|problem| problem.code).collect(),
                None => vec!["unreadable"],
            };
            let warnings: Vec<&str> =
                report.iter().flat_map(|report| &report.warnings).map(|problem| problem.code).collect();
            let difference = match judged {
                Judged::Accepted if !errors.is_empty() => {
                    Some(format!("{}: accepted, validation has {errors:?}", base.id))
                }
                Judged::Refused(_) if !errors.is_empty() => None,
                Judged::Refused(text) => {
                    let known = warnings.iter().find(|code| STRICTER.contains(code));
                    met.extend(known.copied());
                    let listed = KNOWN.iter().any(|(id, part)| *id == base.id && text.contains(part));
                    (known.is_none() && !listed)
                        .then(|| format!("{}: refused, validation warns of {warnings:?}: {text}", base.id))
                }
                Judged::Accepted | Judged::State => None,
            };
            if let Some(difference) = difference {
                differences.entry(difference).or_default().push(label);
            }
        }
    }
    assert!(count > 3_000, "{count}");
    let lines: Vec<String> =
        differences.iter().map(|(what, where_)| format!("{what}\n      {}", where_.join("; "))).collect();
    assert!(differences.is_empty(), "{count} requests, {} differences:\n{}", lines.len(), lines.join("\n"));
    let unmet: Vec<&&str> = STRICTER.iter().filter(|code| !met.contains(*code)).collect();
    assert!(unmet.is_empty(), "no longer an exception: {unmet:?}");
}

/// Why the first four of [`KNOWN`] are no difference for users of the library.
#[test]
fn the_client_writes_the_numbers_of_buckets_and_steps_as_strings() {
    let lab = Lab::new(&[]);
    let bucket = json!({"name": "b", "max": 3, "interval": 60});
    lab.via("otp.limits.create", json!({"name": "l", "buckets": [bucket], "description": "d"})).unwrap();
    let step = json!({"channel": "sms", "interval": 30});
    lab.via("otp.workflows.create", json!({"name": "w", "channels": [step], "description": "d"})).unwrap();
}
