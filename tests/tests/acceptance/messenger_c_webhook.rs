//! Rows 183 to 187: the webhook of a `messenger_c` bot, and messages from `business_chat` users.

use cpaas::webhooks::messenger_c::{DeleteMessengerCWebhook, GetMessengerCWebhookInfo, SetMessengerCWebhook};
use serde_json::{Value, json};

use crate::constant_receiver::Target;
use crate::message_harness::{MessageHarness, PLAIN};
use crate::scripted_receiver::Scripted;

fn bot(harness: &MessageHarness) -> String {
    harness.key("bot_id").to_owned()
}

/// A call of the bot's API, which needs no header.
fn ask(harness: &MessageHarness, bot: &str, rest: &str) -> crate::harness::Reply {
    harness.bare(&format!("/{bot}/{rest}"))
}

/// The URL of the registered webhook.
fn info(harness: &MessageHarness) -> String {
    let reported = ask(harness, &bot(harness), "getWebhookInfo").ok();
    reported["result"]["url"].as_str().expect("a url").to_owned()
}

fn encode(text: &str) -> String {
    text.bytes()
        .map(
            |byte| {
                if byte.is_ascii_alphanumeric() { char::from(byte).into() } else { format!("%{byte:02X}") }
            },
        )
        .collect()
}

fn writes(harness: &MessageHarness, text: &str) {
    harness.inbound(&json!({"channel": "messenger_c", "from": "4711", "text": text}));
}

#[test]
fn acc_183_a_webhook_is_set_unless_its_url_names_a_foreign_traffic_account() {
    let harness = MessageHarness::new();
    let target = Target::new();
    let complete = format!("{}?ta={}", target.url, harness.traffic_account());
    for form in [complete.clone(), encode(&complete)] {
        ask(&harness, &bot(&harness), "deleteWebhook").ok();
        let reply = ask(&harness, &bot(&harness), &format!("setWebhook?url={form}")).is(200);
        assert!(reply.assumes("D57"));
        assert_eq!(reply.json(), json!({"ok": true, "result": true}));
        assert_eq!(info(&harness), complete);
        target.forget();
        writes(&harness, "Hello");
        let reported = target.received();
        assert_eq!((reported.len(), reported[0].method.as_str()), (1, "POST"));
        assert!(reported[0].target.ends_with(&format!("/hook?ta={}", harness.traffic_account())));
    }
    let foreign = format!("{}?ta=0f8fad5b-d9cb-469f-a165-70867728950e", target.url);
    ask(&harness, &bot(&harness), &format!("setWebhook?url={}", encode(&foreign))).is(404);
    assert_eq!(info(&harness), complete, "a rejected call changes nothing");
    ask(&harness, "bot1:wrong", &format!("setWebhook?url={complete}")).is(401);
    ask(&harness, &bot(&harness), "deleteWebhook").ok();
    let client = harness.client();
    client.call(SetMessengerCWebhook::new(bot(&harness), target.url.clone())).unwrap();
    assert_eq!(info(&harness), complete);
    assert_eq!(
        client.call(GetMessengerCWebhookInfo::new(bot(&harness))).unwrap().value.url.as_deref(),
        Some(complete.as_str())
    );
}

#[test]
fn acc_184_after_the_webhook_is_deleted_nothing_is_delivered() {
    let harness = MessageHarness::new();
    assert_eq!(info(&harness), "", "no webhook is registered yet");
    let target = Target::new();
    ask(&harness, &bot(&harness), &format!("setWebhook?url={}", target.url)).ok();
    assert_eq!(info(&harness), target.url);
    let reply = ask(&harness, &bot(&harness), "deleteWebhook").is(200);
    assert!(reply.assumes("D57"));
    assert_eq!(reply.json(), json!({"ok": true, "result": true}));
    assert_eq!(info(&harness), "");
    writes(&harness, "Hello");
    assert!(target.received().is_empty());
    let client = harness.client();
    client.call(DeleteMessengerCWebhook::new(bot(&harness))).unwrap();
    assert_eq!(
        client.call(GetMessengerCWebhookInfo::new(bot(&harness))).unwrap().value.url.as_deref(),
        Some("")
    );
}

#[test]
fn acc_185_a_bot_id_without_the_prefix_bot_is_accepted_with_a_warning() {
    let harness = MessageHarness::new();
    let target = Target::new();
    let short = bot(&harness).strip_prefix("bot").expect("the complete id starts with bot").to_owned();
    ask(&harness, &short, &format!("setWebhook?url={}", target.url)).ok();
    assert!(harness.warnings().contains("bot"), "no warning about the prefix: {}", harness.warnings());
    ask(&harness, &short, "getWebhookInfo").ok();
    assert_eq!(info(&harness), target.url, "it is the same bot");
    assert_eq!(harness.warnings(), "[]", "the complete id causes no warning");
}

#[test]
fn acc_186_delivery_to_a_failing_receiver_ends_after_eight_attempts() {
    let harness = MessageHarness::new();
    let target = Target::responding(Scripted::Status(500));
    ask(&harness, &bot(&harness), &format!("setWebhook?url={}", target.url)).ok();
    writes(&harness, "Hello");
    assert_eq!(target.received().len(), 1);
    let mut tried = 1;
    for wait in [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] {
        harness.advance(wait - 1);
        assert_eq!(target.received().len(), tried, "not before {wait} s");
        harness.advance(1);
        tried += 1;
        assert_eq!(target.received().len(), tried, "after {wait} s");
    }
    harness.days(60);
    assert_eq!(target.received().len(), 8, "given up");
    assert_eq!(harness.events("callback.given_up").len(), 1);
    let update = target.bodies().pop().unwrap();
    assert_eq!((&update["message"]["text"], &update["_sandbox"]), (&json!("Hello"), &json!(true)));
    let attempts = harness.attempts();
    assert!(attempts.iter().all(|attempt| attempt["assumed"].as_array().unwrap().contains(&json!("D37"))));

    target.forget();
    harness.settings(&json!({"chat_callback": target.url}));
    harness.sent("4711", &json!({"messenger_c": {"text": {"message": "Hi"}}}));
    harness.days(1);
    assert!(target.received().is_empty(), "messenger_c reports neither delivery nor reading");
}

#[test]
fn acc_187_texts_and_suggestion_taps_of_business_chat_users_are_delivered() {
    let harness = MessageHarness::new();
    let target = Target::new();
    harness.settings(&json!({"inbound_callback": target.url}));
    let says = |more: Value| {
        let mut message = json!({"channel": "business_chat", "from": PLAIN});
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        harness.inbound(&message);
    };
    says(json!({"text": "Is it red?"}));
    says(json!({"text": "Yes", "postback": "answer=yes&id=7"}));
    let bodies = target.bodies();
    assert_eq!(bodies.len(), 2);
    assert_eq!((&bodies[0]["text"], &bodies[0]["userId"]), (&json!("Is it red?"), &json!(PLAIN)));
    assert_eq!(bodies[1]["suggestionResponse"], json!({"text": "Yes", "postbackData": "answer=yes&id=7"}));
    assert!(bodies.iter().all(|body| body["_sandbox"] == true));
    assert!(
        target.received().iter().all(|reported| reported.header("content-type") == Some("application/json"))
    );
    assert_eq!(harness.messages("direction=in").len(), 2);
    let other = Target::new();
    harness.settings(&json!({"inbound_callback": null, "chat_callback": other.url}));
    says(json!({"text": "And blue?"}));
    assert_eq!(
        other.bodies()[0]["text"],
        "And blue?",
        "without inbound_callback, the target of reports receives it"
    );
}
