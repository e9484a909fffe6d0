//! Callbacks, responses, settings, and the functions of texts that `texts.rs` does not contain.

use cpaas::bindings;
use cpaas::callback::{Keyring, Receiver, Source, Template, TemplateFormat, token_url};
use cpaas::client::Client;
use cpaas::config::Validation;
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::problem::problem_details_json;
use cpaas::text::{self, EncodeOptions, Language, Languages, PriceTable, SegmentOptions};
use cpaas::{Config, OperationId, checks, printable};
use serde_json::{Map, Value, json};

use super::adversarial_requests::{many, name};
use super::{Case, fill};

const NOW: u64 = 1_700_000_000;

pub(super) fn all() -> Vec<Case> {
    let mut cases = callbacks();
    cases.extend(templates());
    cases.extend(responses());
    cases.extend(settings());
    cases.extend(texts());
    cases
}

fn case(what: &str, make: impl Fn(usize) -> String + 'static, run: impl Fn(&str) + 'static) -> Case {
    Case::new(what, make, run)
}

fn receiver() -> Receiver {
    let keys = |kid| Keyring::new([(kid, [7; 32])]).unwrap();
    let receiver = Receiver::new("shop", "https://shop.example/hooks").unwrap();
    receiver.delivery_keys(keys("d1")).inbound_keys(keys("i1"))
}

/// Callbacks with a valid token: bodies in JSON and as a form, and long addresses.
fn callbacks() -> Vec<Case> {
    let body = |source: Source, content_type: &'static str| {
        let receiver = receiver();
        let reference = if source == Source::SmsReport { "r" } else { "" };
        let url = receiver.url(source, reference, NOW).unwrap();
        move |body: &str| {
            let headers = [("content-type", content_type)];
            let received = receiver.receive("POST", &url, &headers, body.as_bytes(), NOW);
            let _ = received.map(|received| received.key());
        }
    };
    let json = "application/json";
    let object = |what: &str, source, item: fn(usize) -> String| {
        case(
            &format!("receive {source:?}, {what}"),
            move |size| format!("{{{}}}", many(size, &item)),
            body(source, json),
        )
    };
    let address = |what: &str, item: fn(usize) -> String| {
        let receiver = receiver();
        let url = receiver.url(Source::SmsReport, "r", NOW).unwrap();
        case(
            &format!("receive, {what}"),
            move |size| format!("{url}&{}", many(size, &item).replace(',', "&")),
            move |url| drop(receiver.receive("GET", url, &[], b"", NOW)),
        )
    };
    vec![
        object("unknown members", Source::InboundSms, |number| format!(r#""{}":1"#, name(number))),
        object("unknown members", Source::MessengerB, |number| format!(r#""{}":1"#, name(number))),
        object("unknown members", Source::MessengerC, |number| format!(r#""{}":{{"id":1}}"#, name(number))),
        object("unknown members", Source::BusinessChat, |number| format!(r#""{}":[1]"#, name(number))),
        object("one name", Source::ChatReport, |_| r#""messageId":"1""#.to_owned()),
        case("receive, open brackets", |size| fill("[", size), body(Source::InboundSms, json)),
        case(
            "receive, a string",
            |size| format!(r#"{{"text":"{}"}}"#, fill("\\u20ac", size)),
            body(Source::InboundSms, json),
        ),
        case(
            "receive, digits",
            |size| format!(r#"{{"messageId":{}}}"#, fill("7", size)),
            body(Source::ChatReport, json),
        ),
        case(
            "receive, a form",
            |size| many(size, &|number| format!("{}=%41", name(number))).replace(',', "&"),
            body(Source::InboundSms, "application/x-www-form-urlencoded"),
        ),
        address("parameters", |number| format!("{}=1", name(number))),
        address("one parameter", |_| "msgid=%41%41".to_owned()),
        address("tokens", |_| "token=v1.d1.x".to_owned()),
        case("receive, no token", |size| format!("/hooks?token={}", fill("v1.d1.", size)), {
            let receiver = receiver();
            move |url| drop(receiver.receive("GET", url, &[], b"", NOW))
        }),
        case(
            "receive_json",
            |size| {
                format!(
                    r#"{{"method":"POST","url":"/","headers":[{}]}}"#,
                    many(size, &|_| r#"["a","b"]"#.to_owned())
                )
            },
            {
                let receiver = receiver();
                move |request| drop(receiver.receive_json(request, NOW))
            },
        ),
        case(
            "mint_json",
            |size| format!(r#"{{"source":"sms_report","reference":"{}"}}"#, fill("é", size)),
            {
                let receiver = receiver();
                move |request| drop(receiver.mint_json(request, NOW))
            },
        ),
    ]
}

fn templates() -> Vec<Case> {
    let parse = |format| move |source: &str| drop(Template::parse(source, format));
    let read = |source: &str, format| {
        let template = Template::parse(source, format);
        move |received: &str| drop(template.read(received))
    };
    let (url, json) = (TemplateFormat::Url, TemplateFormat::Json);
    vec![
        case("template, variables", |size| fill("~msgid~a", size), parse(url)),
        case("template, delimiters", |size| fill("~", size), parse(url)),
        case(
            "template, unknown names",
            |size| many(size, &|number| format!("~{}~", name(number))),
            parse(json),
        ),
        case(
            "a report, parameters",
            |size| many(size, &|_| "m=1".to_owned()).replace(',', "&"),
            read("/?x=~msgid~&m=~msgid~", url),
        ),
        case(
            "a report, a value",
            |size| format!("/?m={}", fill("aab", size)),
            read("/?m=~msgid~aac~status~", url),
        ),
        case(
            "a report, JSON",
            |size| fill(r#"{"a":"\\\\"#, size),
            read(r#"{"a":"~msgid~","b":"~status~"}"#, json),
        ),
        case(
            "token_url",
            |size| format!("https://a.example/?{}#x", fill("token&", size)),
            |url| drop(token_url(url, "v1")),
        ),
    ]
}

/// Responses of a provider, with the request that they belong to.
fn responses() -> Vec<Case> {
    let config = Config::default()
        .sms_url("http://sms.test")
        .otp_url("http://otp.test")
        .lookup_url("http://lookup.test");
    let config =
        config.sms_key("k").api_key("k").account_sid("AC1").validation(Validation::Off).max_attempts(1);
    let read = |operation: OperationId| {
        let client = Client::with_transport(&config, |_: HttpRequest| async { panic!("a request") }).unwrap();
        move |body: &str| {
            drop(client.read_response(operation, HttpResponse::new(200, Vec::new(), body.to_owned())))
        }
    };
    let bulk = {
        let config = config.clone();
        move |body: &str| {
            let response: Value = serde_json::from_str(body).unwrap();
            let to: Vec<&str> = response["messages"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|one| one["to"].as_str())
                .rev()
                .collect();
            let request = json!({"from": "Acme", "to": to.join(","), "text": "Hi"}).to_string();
            let body = body.to_owned();
            let transport = move |_: HttpRequest| {
                let body = body.clone();
                async move { Ok(HttpResponse::new(200, Vec::new(), body)) }
            };
            let client = Client::with_transport(&config, transport).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let _ = runtime.block_on(client.call_json(OperationId::SmsSendBulk, &request));
        }
    };
    let elements = |size, item: fn(usize) -> String| {
        format!(r#"{{"responseCode":0,"messages":[{}]}}"#, many(size, &item))
    };
    vec![
        case(
            "a response, elements",
            move |size| {
                elements(size, |number| format!(r#"{{"id":"{}","to":"{number:011}"}}"#, name(number)))
            },
            bulk.clone(),
        ),
        case(
            "a response, one recipient",
            move |size| elements(size, |number| format!(r#"{{"id":"{}","to":"30690000000"}}"#, name(number))),
            bulk.clone(),
        ),
        case(
            "a response, one id",
            move |size| elements(size, |number| format!(r#"{{"id":"1","to":"{number:011}"}}"#)),
            bulk,
        ),
        case(
            "a response, unknown members",
            |size| {
                format!(
                    r#"{{"id":"1","responseCode":0,{}}}"#,
                    many(size, &|number| format!(r#""{}":1"#, name(number)))
                )
            },
            read(OperationId::SmsSend),
        ),
        case(
            "a response, one repeated member",
            |size| format!("{{{}}}", many(size, &|_| r#""responseCode":0"#.to_owned())),
            read(OperationId::SmsSend),
        ),
        case(
            "a response, unreadable elements",
            move |size| elements(size, |_| "[{}]".to_owned()),
            read(OperationId::SmsSendBulk),
        ),
        case(
            "a response, records",
            |size| format!(r#"{{"twoFaOtpSdrs":[{}]}}"#, many(size, &|_| r#"{"sid":1}"#.to_owned())),
            read(OperationId::OtpSearch),
        ),
        case("a response, open brackets", |size| fill("[", size), read(OperationId::LookupNumbers)),
        case(
            "a response, XML",
            |size| format!("<a>{}</a>", fill("<b>x</b>", size)),
            read(OperationId::SmsSend),
        ),
        case("a response, open elements", |size| fill("<b>", size), read(OperationId::SmsSend)),
    ]
}

fn settings() -> Vec<Case> {
    let config = |json: &str| drop(Config::from_json(json));
    let row = |number: usize| format!("{},0.05,EUR", number.wrapping_mul(7_919) % 100_000_007);
    vec![
        case(
            "Config, unknown members",
            |size| format!("{{{}}}", many(size, &|number| format!(r#""{}":1"#, name(number)))),
            config,
        ),
        case(
            "Config, an address",
            |size| format!(r#"{{"sms_url":"https://{}"}}"#, fill("a@b:", size)),
            config,
        ),
        case(
            "Config, names of channels",
            |size| {
                format!(
                    r#"{{"channel_names":{{{}}}}}"#,
                    many(size, &|number| format!(r#""{}":"a""#, name(number)))
                )
            },
            config,
        ),
        case(
            "prices",
            move |size| {
                (0..size / 18).map(row).fold("prefix,price,currency".to_owned(), |csv, row| csv + "\n" + &row)
            },
            |csv| drop(PriceTable::parse(csv)),
        ),
        case(
            "prices, descending",
            |size| {
                (0..size / 18).rev().fold("prefix,price,currency".to_owned(), |csv, number| {
                    csv + "\n" + &format!("{:08},0.05,EUR", number)
                })
            },
            |csv| drop(PriceTable::parse(csv)),
        ),
        case(
            "prices in many currencies",
            |size| {
                (0..size / 18).fold("prefix,price,currency".to_owned(), |csv, number| {
                    csv + "\n" + &format!("{number:08},0.05,C{number}")
                })
            },
            |csv| drop(PriceTable::parse(csv)),
        ),
        case(
            "an estimate with many prefixes, descending",
            |size| {
                (0..size / 18).fold("prefix,price,currency".to_owned(), |csv, number| {
                    csv + "\n" + &format!("1{number:08},0.05,EUR")
                })
            },
            |csv| {
                let prices = PriceTable::parse(csv).unwrap();
                let mut to: Vec<&str> = prices.iter().map(|(prefix, _)| prefix).collect();
                to.reverse();
                assert!(text::estimate_to("Hi", &prices, to).is_ok());
            },
        ),
        case("prices, a long number", |size| fill("3", size), {
            let prices = PriceTable::parse("prefix,price,currency\n30,0.05,EUR\n3069,0.04,EUR").unwrap();
            move |number| assert!(prices.find(number).is_none())
        }),
        case(
            "problem details",
            |size| {
                format!(
                    r#"{{"errors":[{}],"warnings":[]}}"#,
                    many(size, &|number| format!(
                        r#"{{"pointer":"/{}","code":"a","message":"b"}}"#,
                        name(number)
                    ))
                )
            },
            |report| drop(problem_details_json(report, Map::new())),
        ),
        case(
            "intent, phrases after or",
            |size| {
                format!("{}don't stop texting {}", fill("a ", size / 2), fill("or stop texting ", size / 2))
            },
            |text| assert!(!bindings::intent_json(text).is_empty()),
        ),
        case(
            "intent, links",
            |size| fill("want you to stop texting me ", size),
            |text| assert!(!bindings::intent_json(text).is_empty()),
        ),
        case(
            "intent, stop words and pleas of several languages",
            |size| fill("stop wypisz te rog no ", size),
            |text| assert!(!bindings::intent_json(text).is_empty()),
        ),
        case(
            "intent, prefixes of replies",
            |size| fill("re: ", size),
            |text| assert!(!bindings::intent_json(text).is_empty()),
        ),
        case(
            "intent, numbers",
            |size| format!("stop {}", fill("1 ", size)),
            |text| assert!(!bindings::intent_json(text).is_empty()),
        ),
        case(
            "intent, marks",
            |size| fill("no, don't. ", size),
            |text| assert!(!bindings::intent_json(text).is_empty()),
        ),
        case("printable", |size| fill("\u{202e}é", size), |text| drop(printable::printable(text, 200))),
        case("check_bot_username", |size| fill("a_", size), |text| drop(checks::check_bot_username(text))),
    ]
}

fn texts() -> Vec<Case> {
    let turkish = || Languages::from_codes(["tr"]).unwrap();
    let mut cases = Vec::new();
    for unit in ["a", "€", "ş", "é", "😀", "’"] {
        let languages = SegmentOptions::new().languages(turkish());
        let counted = SegmentOptions::new().languages(turkish());
        let of = |what: &str, run: Box<dyn Fn(&str)>| {
            case(&format!("{what} {unit:?}"), move |size| fill(unit, size), run)
        };
        cases.extend([
            of("segments with tables", Box::new(move |text| drop(text::segments(text, &languages)))),
            of("annotate with tables", Box::new(move |text| drop(text::annotate_with(text, &counted)))),
            of(
                "count with tables",
                Box::new(move |text| {
                    let _ = text::count_with(text, turkish());
                }),
            ),
            of("encode", Box::new(|text| drop(text::encode(text, &EncodeOptions::new())))),
            of("transliterate", Box::new(|text| drop(text::transliterate(text)))),
            of("causes", Box::new(|text| drop(text::causes(text)))),
            of("sender", Box::new(|text| drop(bindings::sender_json(text)))),
            of("estimate", Box::new(|text| drop(bindings::estimate_json(text, "0.05")))),
        ]);
    }
    let part = |number: usize| format!(r#"{{"udh":"050003AA05{:02x}","ud":"61"}}"#, number % 5 + 1);
    cases.extend([
        case(
            "decode, digits",
            |size| format!(r#"[{{"ud":"{}"}}]"#, fill("61", size)),
            |parts| drop(bindings::decode_json(parts)),
        ),
        case(
            "decode, parts",
            move |size| format!("[{}]", many(size, &part)),
            |parts| drop(bindings::decode_json(parts)),
        ),
        case(
            "a template, braces",
            |size| fill("{{", size),
            |text| drop(bindings::template_segments_json(text, "{}", None)),
        ),
        case(
            "a template, spaces",
            |size| format!("{{{{{}", fill(" ", size)),
            |text| drop(bindings::template_segments_json(text, "{}", None)),
        ),
        case(
            "a template, fields",
            |size| fill("{{ a }}", size),
            |text| drop(bindings::template_segments_json(text, r#"{"a":["x"]}"#, None)),
        ),
        case(
            "a number",
            |size| fill("3 ", size),
            |text| drop(text::msisdn::normalize_number(text, Some("GR"))),
        ),
        case(
            "a number in another form",
            |size| fill("(0)", size),
            |text| drop(text::msisdn::normalize_number(text, None)),
        ),
        case("a language", |size| fill("tr", size), |text| assert!(Language::from_code(text).is_none())),
    ]);
    cases
}
