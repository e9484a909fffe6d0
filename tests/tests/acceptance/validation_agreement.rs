//! Apart from the state of the account, the sandbox rejects exactly the requests that validation rejects. The test sends and validates
//! requests with changed members: each single change once, then 5,000 requests with one to three random changes.

use std::collections::{BTreeMap, BTreeSet};

use cpaas::OperationId;
use cpaas::request::IncomingRequest;
use serde_json::{Map, Value, json};

use crate::harness::Harness;
use crate::request_mutations::{Base, Sequence, bases, mutated, single};

/// Warnings that the sandbox treats as errors, with the assumption. Where the specification contains no rule, validation only warns, but
/// the sandbox must accept or reject.
const REJECTED_WARNINGS: &[&str] = &[
    "failover.type.missing",       // D41
    "failover.type.unknown",       // D41
    "msg.destination.not_phone",   // D29, if the channel is SMS
    "otp.body.no_code",            // D11
    "otp.bucket.number",           // D15
    "otp.channel.unknown",         // D15
    "otp.date.order",              // D15
    "otp.guard_time.invalid",      // D09
    "otp.limits.empty",            // D15
    "otp.page",                    // D20
    "otp.page_size",               // D20
    "otp.to.not_phone",            // D29
    "otp.update.empty",            // D15
    "otp.workflow.interval",       // D15
    "sms.date.order",              // D27
    "sms.sender.alnum_too_long",   // D55
    "sms.sender.numeric_too_long", // D55
    "sms.to.length",               // D29
    "sms.usage.missing",           // D27
];

/// The members as a query; `None` if a member is not a string.
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

/// The request as JSON with the library's names, as a server decodes it; `None` if it cannot be decoded.
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
    let request = IncomingRequest::new(&path, &pairs, body.as_bytes());
    operation.decode_request(&request).ok().map(std::borrow::Cow::into_owned)
}

/// The codes for which the library or an assumption rejects a request; empty if the request is accepted.
fn rejections(base: &Base, members: &Value) -> Vec<String> {
    let Some(text) = neutral(base, members) else { return vec!["unreadable".to_owned()] };
    let report = OperationId::find(base.id).unwrap().validate_json(&text);
    let is_sms = members.get("sms").is_some();
    let rejected =
        |code: &&str| REJECTED_WARNINGS.contains(code) && (is_sms || *code != "msg.destination.not_phone");
    // The sandbox accepts unknown fields whatever their names are.
    let errors =
        report.errors.iter().map(|problem| &*problem.code).filter(|code| *code != "msg.field.misspelled");
    errors
        .chain(report.warnings.iter().map(|problem| &*problem.code).filter(rejected))
        .map(str::to_owned)
        .collect()
}

enum Judged {
    Accepted,
    /// Rejected because the request is invalid.
    Refused(String),
    /// Rejected because of the state of the account.
    State,
}

fn judge(harness: &Harness, base: &Base, members: &Value) -> Option<Judged> {
    let reply = if base.method == "GET" {
        let query = query(members)?;
        if query.len() > 60_000 {
            return None;
        }
        harness.get(&format!("{}?{query}", base.path))
    } else {
        harness.send(base.method, &base.path, members.clone())
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
fn the_sandbox_rejects_what_validation_rejects_and_nothing_else() {
    let harness = Harness::new(&["--unknown-limit=ignore", "--conversion"]);
    let bases = bases(&harness);
    let mut requests: Vec<(&Base, (String, Value))> = bases
        .iter()
        .flat_map(|base| single(&base.members).into_iter().map(move |item| (base, item)))
        .collect();
    let mut sequence = Sequence::new(20_240_101);
    requests.extend((0..5_000).map(|_| {
        let base = &bases[sequence.below(bases.len())];
        (base, mutated(&base.members, &mut sequence))
    }));
    let mut differences: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut count, mut refused, mut met) = (0, 0, BTreeSet::new());
    for (base, (label, members)) in requests {
        let Some(judged) = judge(&harness, base, &members) else { continue };
        count += 1;
        if matches!(judged, Judged::Accepted) {
            harness.control("POST", "/reset", Value::Null);
        }
        let codes = rejections(base, &members);
        met.extend(codes.iter().cloned());
        let difference = match judged {
            Judged::Refused(_) if !codes.is_empty() => {
                refused += 1;
                continue;
            }
            Judged::Accepted | Judged::State if codes.is_empty() => continue,
            Judged::Refused(text) => format!("{}: refused, validation accepts: {text}", base.id),
            Judged::Accepted => format!("{}: accepted, validation has {codes:?}", base.id),
            Judged::State => format!("{}: refused for its state, validation has {codes:?}", base.id),
        };
        differences.entry(difference).or_default().push(label);
    }
    let lines: Vec<String> =
        differences.iter().map(|(what, where_)| format!("{what}\n      {}", where_.join("; "))).collect();
    assert!(differences.is_empty(), "{count} requests, {} differences:\n{}", lines.len(), lines.join("\n"));
    assert!(refused > 2_000 && count - refused > 2_000, "{refused} of {count} refused");
    let unmet: Vec<&&str> = REJECTED_WARNINGS.iter().filter(|code| !met.contains(**code)).collect();
    assert!(unmet.is_empty(), "no request caused: {unmet:?}");
}

/// The specification documents strings; the library accepts numbers too.
#[test]
fn max_and_interval_of_buckets_and_steps_can_be_strings_or_numbers() {
    let harness = Harness::new(&[]);
    let bucket = json!({"name": "b", "max": 3, "interval": 60});
    harness.via("otp.limits.create", json!({"name": "l", "buckets": [bucket], "description": "d"})).unwrap();
    let step = json!({"channel": "sms", "interval": 30});
    harness
        .via("otp.workflows.create", json!({"name": "w", "channels": [step], "description": "d"}))
        .unwrap();
    let buckets = r#"[{"name":"b","max":3,"interval":60}]"#;
    harness.post("/2fa/limits", json!({"name": "m", "buckets": buckets, "description": "d"})).ok();
}
