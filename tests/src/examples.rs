//! One request and one answer of success for every operation, by hand from the specification, and a
//! configuration that calls them at one address.

use cpaas::Config;

/// An operation with a request and an answer.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The operation's name.
    pub id: &'static str,
    /// Its request, as `call_json` takes it.
    pub request: &'static str,
    /// An answer of success.
    pub answer: &'static str,
}

/// Keys, tokens, texts, numbers and codes that stand in [`EXAMPLES`] and [`config`] and must stand in no
/// log, message or `Debug` output.
pub const SECRETS: &[&str] = &[
    "k-api-7f3a",
    "k-sms-91bc",
    "k-lookup-55de",
    "k-msg-20ff",
    "t-chan-b-66aa",
    "bot4711:t-bot-c",
    "QUMxOmstYXBpLTdmM2E",
    "306912345678",
    "306987654321",
    "Your table is ready",
    "482913",
    "hooks.example",
];

/// Every family at one address, with a key of its own for each. The answers below repeat their ids.
#[must_use]
pub fn config(url: &str) -> Config {
    Config::default()
        .otp_url(url)
        .sms_url(url)
        .lookup_url(url)
        .messaging_url(url)
        .messenger_b_url(url)
        .bot_url(url)
        .account_sid("AC1")
        .api_key("k-api-7f3a")
        .sms_key("k-sms-91bc")
        .lookup_key("k-lookup-55de")
        .messaging_key("k-msg-20ff")
        .messenger_b_token("t-chan-b-66aa")
        .traffic_account_id("0f8fad5b-d9cb-469f-a165-70867728950e")
        .accept_repeated_ids(true)
}

/// The example of an operation.
///
/// # Panics
/// When there is none.
#[must_use]
#[expect(clippy::panic, reason = "tests")]
pub fn example(id: &str) -> Example {
    let found = EXAMPLES.iter().find(|example| example.id == id);
    found.copied().unwrap_or_else(|| panic!("no example of {id}"))
}

const OTP: &str = r#"{"code":200,"message":"OK","requestID":"OTP1"}"#;
const LIMIT: &str = r#"{"code":200,"message":"OK","data":{"sid":"LM1","name":"limit_on_ip","buckets":"[{\"name\":\"b\",\"max\":\"3\",\"interval\":\"60\"}]","description":"d"}}"#;
const LIMITS: &str = r#"{"code":200,"message":"OK","data":{"result":[{"sid":"LM1","name":"limit_on_ip","buckets":"[]","description":"d"}],"page":0,"total":1}}"#;
const WORKFLOW: &str = r#"{"code":200,"message":"OK","data":{"sid":"WF1","name":"plan","channels":[{"channel":"sms","interval":"30"}],"description":"d"}}"#;
const WORKFLOWS: &str = r#"{"code":200,"message":"OK","data":{"result":[{"sid":"WF1","name":"plan","channels":[],"description":"d"}],"page":0,"total":1}}"#;
const RECORD: &str = r#"{"sid":"OTP1","status":"success","checks":[]}"#;
const USAGE: &str = r#"{"usageRecords":[{"channel":"All","count":"7","unit":"OTP"}]}"#;
const LOOKUP: &str =
    r#"[{"msisdn":"306912345678","mcc":"202","mnc":"01","ported":false,"cost":0.01,"response":0}]"#;

macro_rules! examples {
    ($($id:literal: $request:literal => $answer:expr;)*) => {
        /// All of them, in the order of the list of operations.
        pub const EXAMPLES: &[Example] =
            &[$(Example { id: $id, request: $request, answer: $answer }),*];
    };
}

examples! {
    "otp.send": r#"{"service":"login","from":"Acme","to":"306912345678","body":"Your code is {code}"}"# => OTP;
    "otp.verify": r#"{"service":"login","requestId":"OTP1","code":"482913"}"# => OTP;
    "otp.cancel": r#"{"requestId":"OTP1","accountSid":"AC1"}"# => r#"{"code":200,"message":"canceled","requestID":"OTP1"}"#;
    "otp.search": r#"{"pageSize":10}"# => r#"{"page":0,"num_pages":1,"total":1,"next_page_uri":null,"twoFaOtpSdrs":[{"sid":"OTP1","status":"success"}]}"#;
    "otp.get": r#"{"sid":"OTP1"}"# => RECORD;
    "otp.usage": r#"{"startDate":"2024-01-01","endDate":"2024-01-31"}"# => USAGE;
    "otp.usage_daily": r#"{}"# => USAGE;
    "otp.limits.create": r#"{"name":"limit_on_ip","buckets":[{"name":"b","max":"3","interval":"60"}],"description":"d"}"# => LIMIT;
    "otp.limits.update": r#"{"sid":"LM1","description":"d"}"# => LIMIT;
    "otp.limits.delete": r#"{"sid":"LM1"}"# => LIMIT;
    "otp.limits.list": r#"{}"# => LIMITS;
    "otp.limits.get": r#"{"sid":"LM1"}"# => LIMIT;
    "otp.workflows.create": r#"{"name":"plan","channels":[{"channel":"sms","interval":"30"}],"description":"d"}"# => WORKFLOW;
    "otp.workflows.update": r#"{"sid":"WF1","channels":[{"channel":"voice","interval":"60"}]}"# => WORKFLOW;
    "otp.workflows.delete": r#"{"sid":"WF1"}"# => WORKFLOW;
    "otp.workflows.list": r#"{}"# => WORKFLOWS;
    "otp.workflows.get": r#"{"sid":"WF1"}"# => WORKFLOW;
    "sms.send": r#"{"from":"Acme","to":"306912345678","text":"Your table is ready","reference":"booking-7"}"# => r#"{"id":"M1","timestamp":"2024-01-01T00:00:00.000Z","responseCode":0,"textLength":19}"#;
    "sms.send_bulk": r#"{"from":"Acme","to":"306912345678,306987654321","text":"Your table is ready"}"# => r#"{"responseCode":0,"responseText":"ok","messages":[{"id":"M1","to":"306912345678"},{"id":"M2","to":"306987654321"}]}"#;
    "sms.usage_by_country": r#"{"startDate":"2024-01-01","endDate":"2024-01-31","AccountName":"acme"}"# => r#"{"usagesByCountry":[{"country":"GRC","messagesCount":"3","cost":"0.1"}]}"#;
    "sms.convert": r#"{"messageId":"M1"}"# => r#"{"responseCode":0,"responseText":"OK"}"#;
    "lookup.numbers": r#"{"msisdn":"306912345678"}"# => LOOKUP;
    "lookup.numbers_by_query": r#"{"msisdn":"306912345678"}"# => LOOKUP;
    "messages.send": r#"{"destination":"306912345678","sms":{"text":"Your table is ready","sender":"Acme"}}"# => r#"{"messageId":"M1","deliveryStatus":"Ready"}"#;
    "messages.send_failover": r#"{"destination":"306912345678","messenger_a":{"type":"regular","regular":{"text":"Your table is ready","type":"text"}},"sms":{"text":"Your table is ready","sender":"Acme"},"failover":{"type":"Timeout","timeoutFailover":{"timeoutInSeconds":60,"status":"Delivered","trafficAccounts":["0f8fad5b-d9cb-469f-a165-70867728950e"]}}}"# => r#"["M1","M2"]"#;
    "messages.send_bulk": r#"{"destinations":["306912345678"],"sms":{"text":"Your table is ready","sender":"Acme"}}"# => r#"{"bulkId":"B1","messages":[{"destination":"306912345678","trafficAccountId":"t","messageId":"M1"}]}"#;
    "webhooks.messenger_b.set": r#"{"url":"https://hooks.example/b"}"# => r#"{"status":0,"status_message":"ok","event_types":["seen"]}"#;
    "webhooks.messenger_c.set": r#"{"bot_id":"bot4711:t-bot-c","url":"https://hooks.example/c"}"# => r#"{"ok":true,"result":true,"description":"set"}"#;
    "webhooks.messenger_c.delete": r#"{"bot_id":"bot4711:t-bot-c"}"# => r#"{"ok":true,"result":true}"#;
    "webhooks.messenger_c.info": r#"{"bot_id":"bot4711:t-bot-c"}"# => r#"{"ok":true,"result":{"url":""}}"#;
}
