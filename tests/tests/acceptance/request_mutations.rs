//! Valid requests of every operation that has members, and mutations of their members.

use serde_json::{Value, json};

use crate::harness::Harness;

/// A valid request: its operation, method, path, and the members of its query or body.
pub(crate) struct Base {
    pub(crate) id: &'static str,
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) members: Value,
}

pub(crate) fn bases(harness: &Harness) -> Vec<Base> {
    let account = harness.traffic_account();
    let bot = harness.config["bot_id"].as_str().unwrap();
    let base = |id, method, path: &str, members| Base { id, method, path: path.to_owned(), members };
    let buckets = r#"[{"name":"b","max":"3","interval":"60"}]"#;
    let channels = r#"[{"channel":"sms","interval":"30"},{"channel":"voice","interval":"0"}]"#;
    let days = json!({"startDate": "2024-01-01", "endDate": "2024-01-31"});
    let text = json!({"text": "Hello", "sender": "Acme"});
    let regular = json!({"type": "regular", "regular": {"text": "Hello", "type": "text"}});
    let failover = json!({"type": "Timeout", "timeoutFailover": {"timeoutInSeconds": 60, "status": "Delivered", "trafficAccounts": [account, account]}});
    vec![
        base(
            "otp.send",
            "POST",
            "/2fa/send",
            json!({
                "service": "login", "from": "Acme", "to": "306912345678", "body": "Your code is {code}", "channel": "sms",
                "limits": {}, "guardTime": 60,
            }),
        ),
        base(
            "otp.verify",
            "POST",
            "/2fa/verify",
            json!({"service": "login", "requestId": "OTP1", "code": "482913"}),
        ),
        base("otp.cancel", "POST", "/2fa/cancel", json!({"requestId": "OTP1", "accountSid": harness.sid()})),
        base("otp.search", "GET", "/2fa/search", json!({"pageSize": "10", "page": "0", "status": "success"})),
        base("otp.usage", "GET", "/2fa/usage/records", {
            let mut days = days.clone();
            days["channel"] = json!("call");
            days
        }),
        base("otp.usage_daily", "GET", "/2fa/usage/records/daily", days.clone()),
        base(
            "otp.limits.create",
            "POST",
            "/2fa/limits",
            json!({"name": "limit", "buckets": buckets, "description": "d"}),
        ),
        base("otp.limits.update", "PUT", "/2fa/limits/LM1", json!({"buckets": buckets, "description": "d"})),
        base("otp.limits.list", "GET", "/2fa/limits/search", json!({"pageSize": "10", "page": "0"})),
        base(
            "otp.workflows.create",
            "POST",
            "/2fa/workflows",
            json!({"name": "plan", "channels": channels, "description": "d"}),
        ),
        base(
            "otp.workflows.update",
            "PUT",
            "/2fa/workflows/WF1",
            json!({"channels": channels, "description": "d"}),
        ),
        base("otp.workflows.list", "GET", "/2fa/workflows/search", json!({"pageSize": "10", "page": "0"})),
        base(
            "sms.send",
            "POST",
            "/sms",
            json!({
                "from": "Acme", "to": "306912345678", "text": "Hello", "type": "auto", "reference": "r", "test": false,
                "callback": "http://127.0.0.1:1/",
            }),
        ),
        base(
            "sms.send_bulk",
            "POST",
            "/smsbulk",
            json!({
                "from": "Acme", "to": "306912345678,306912345679", "text": "Hello", "type": "auto",
            }),
        ),
        base("sms.usage_by_country", "POST", "/usage/bycountry.json", {
            let mut days = days;
            days["AccountName"] = json!("acme");
            days
        }),
        base("sms.convert", "POST", "/sms/converted.json", json!({"messageId": "M1"})),
        base("lookup.numbers", "POST", "/lookup", json!({"msisdn": ["306912345678", "306912345679"]})),
        base("lookup.numbers_by_query", "GET", "/lookup", json!({"msisdn": "306912345678"})),
        base(
            "messages.send",
            "POST",
            "/messages/send",
            json!({
                "trafficAccountId": account, "destination": "306912345678", "sms": text,
            }),
        ),
        base(
            "messages.send",
            "POST",
            "/messages/send",
            json!({
                "trafficAccountId": account, "destination": "306912345678",
                "messenger_b": {"type": "session", "text": "Hello", "ttl": 60, "button": {"caption": "c", "action": "https://a.example/"}},
            }),
        ),
        base(
            "messages.send",
            "POST",
            "/messages/send",
            json!({
                "trafficAccountId": account, "destination": "u1",
                "messenger_c": {"silent": true, "text": {"message": "<b>Hi</b>", "parseMode": "Html", "noPreview": true}},
            }),
        ),
        base(
            "messages.send",
            "POST",
            "/messages/send",
            json!({
                "trafficAccountId": account, "destination": "306912345678",
                "business_chat": {"text": {"message": "Hello", "containsRichText": true}, "fallback": "f",
                    "suggestions": [{"reply": {"text": "Yes", "postbackData": "y"}}]},
            }),
        ),
        base(
            "messages.send_failover",
            "POST",
            "/messages/send",
            json!({
                "destination": "306912345678", "messenger_a": regular, "sms": text, "failover": failover,
            }),
        ),
        base(
            "messages.send_bulk",
            "POST",
            "/api/v1.1/Messages/sendbulk",
            json!({
                "trafficAccountId": account, "destinations": ["306912345678", "306912345679"], "sms": text,
            }),
        ),
        base(
            "webhooks.messenger_b.set",
            "POST",
            "/pa/set_webhook",
            json!({
                "url": "", "event_types": ["seen"], "send_name": true, "send_photo": false,
            }),
        ),
        base(
            "webhooks.messenger_c.set",
            "GET",
            &format!("/{bot}/setWebhook"),
            json!({"url": "https://hooks.example/c"}),
        ),
    ]
}

/// The values that replace a member: other types, lengths and numbers at their limits, and characters that rules mention.
fn others(old: &Value) -> Vec<Value> {
    let long = |count: usize| json!("a".repeat(count));
    let mut all = vec![
        json!(null),
        json!(""),
        json!(" "),
        json!("a"),
        json!("+306912345678"),
        json!("+12345678901234567"),
        json!("12345678901"),
        json!("1234567890123456"),
        json!("12345678901234567"),
        json!("+1234567890123456"),
        json!("Acme Shop"),
        json!("Shöp"),
        json!("Shop\u{7}"),
        json!("[]{}^~|"),
        json!("123456"),
        json!("1234567"),
        json!("123456789012345"),
        json!("306912345678,"),
        json!("306912345678, 306912345679"),
        json!(",306912345678"),
        json!("30 69"),
        long(11),
        long(12),
        long(255),
        long(4_097),
        long(39_015),
        long(39_016),
        json!("é".repeat(17_086)),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(29),
        json!(30),
        json!(1_209_600),
        json!(1_209_601),
        json!(1.5),
        json!(60.0),
        json!(1e20),
        json!([]),
        json!({}),
        json!([1]),
        json!([""]),
        json!(["306912345678", "x"]),
        json!(["306912345678", 7]),
        json!({"a": 1}),
        json!({"a": ""}),
        json!({"a": "b"}),
        json!("auto"),
        json!("call"),
        json!("SMS"),
        json!("voice"),
        json!("2024-02-29"),
        json!("2023-02-29"),
        json!("2024-1-1"),
        json!("2030-01-01"),
        json!("OTP1"),
        json!("0f8fad5b-d9cb-469f-a165-70867728950e"),
        json!("ftp://a.example/"),
        json!("https://a.example/x?y=~msgid~"),
        json!("http://u:p@a.example/"),
        json!("https://"),
        json!("https://a.example:0/"),
        json!("http://127.0.0.1:1/ x"),
        json!("//a"),
        json!("60"),
        json!("0"),
        json!("-1"),
        json!("1.5"),
        json!("99999999999"),
        json!("many"),
        json!("[]"),
        json!("{}"),
        json!("["),
        json!(r#"[{"name":"b","max":"3"}]"#),
        json!(r#"[{"name":"b","max":3,"interval":60}]"#),
        json!(r#"[{"name":"","max":"3","interval":"60"}]"#),
        json!(r#"[{"name":"b","max":"0","interval":"60"}]"#),
        json!(r#"[{"name":"b","max":"many","interval":"60"}]"#),
        json!(r#"[{"name":"b","max":"3","interval":"60"},7]"#),
        json!(r#"[{"channel":"sms"}]"#),
        json!(r#"[{"channel":"sms","interval":30}]"#),
        json!(r#"[{"channel":"SMS","interval":"30"}]"#),
        json!(r#"[{"interval":"30"}]"#),
        json!(r#"[{"channel":"voice","interval":"-1"}]"#),
        json!(r#"[{"channel":"voice","interval":""}]"#),
        json!("no code"),
        json!("{Code}"),
        json!("Delivered"),
        json!("Html"),
        json!("<b>"),
        json!("regular"),
        json!("Error"),
        json!("success"),
        json!("nothing"),
    ];
    if let Some(list) = old.as_array() {
        all.push(json!(list.iter().chain(list).collect::<Vec<_>>()));
    }
    all
}

/// The pointers of all members, including nested ones.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    if let Value::Object(map) = value {
        for (name, member) in map {
            let at = format!("{at}/{name}");
            found.push(at.clone());
            pointers(member, &at, found);
        }
    }
}

fn with(members: &Value, pointer: &str, new: Option<&Value>) -> Value {
    let mut changed = members.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let Some(Value::Object(map)) = changed.pointer_mut(parent) else { return changed };
    match new {
        Some(value) => drop(map.insert(name.to_owned(), value.clone())),
        None => drop(map.remove(name)),
    }
    changed
}

/// The members unchanged, and with each single change: a member absent, or replaced by each of its values.
pub(crate) fn single(members: &Value) -> Vec<(String, Value)> {
    let mut places = Vec::new();
    pointers(members, "", &mut places);
    let mut all = vec![("nothing".to_owned(), members.clone())];
    for place in &places {
        all.push((format!("{place} absent"), with(members, place, None)));
        for new in others(members.pointer(place).unwrap()) {
            all.push((format!("{place} = {}", brief(&new)), with(members, place, Some(&new))));
        }
    }
    all
}

/// Generates a fixed sequence of pseudo-random numbers (Knuth's MMIX generator).
pub(crate) struct Sequence(u64);

impl Sequence {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

/// The members with one to three changed, removed or added, and a description of the changes.
pub(crate) fn mutated(members: &Value, sequence: &mut Sequence) -> (String, Value) {
    let mut places = Vec::new();
    pointers(members, "", &mut places);
    let (mut changed, mut label) = (members.clone(), String::new());
    for _ in 0..=sequence.below(3) {
        let place = &places[sequence.below(places.len())];
        match sequence.below(16) {
            0 => {
                label.push_str(&format!("{place} absent; "));
                changed = with(&changed, place, None);
            }
            1 => {
                label.push_str(&format!("{place}_ = 1; "));
                changed = with(&changed, &format!("{place}_"), Some(&json!(1)));
            }
            _ => {
                let news = others(members.pointer(place).unwrap());
                let new = &news[sequence.below(news.len())];
                label.push_str(&format!("{place} = {}; ", brief(new)));
                changed = with(&changed, place, Some(new));
            }
        }
    }
    (label, changed)
}

fn brief(value: &Value) -> String {
    let text = value.to_string();
    if text.len() > 60 {
        format!("{}… ({})", text.chars().take(12).collect::<String>(), text.len())
    } else {
        text
    }
}
