//! Rows 156 to 164: the rules of `business_chat`.

use cpaas::OperationId;
use cpaas::checks::check_card_height;
use cpaas::error::Outcome;
use serde_json::{Value, json};

use crate::harness::Reply;
use crate::message_harness::{MessageHarness, PLAIN};

/// A number whose device cannot render the message.
const OLD_PHONE: &str = "9994100001";

fn wrap(content: &Value) -> Value {
    json!({"business_chat": content})
}

fn send(harness: &MessageHarness, content: &Value) -> Reply {
    harness.send(PLAIN, &wrap(content))
}

fn card() -> Value {
    json!({"title": "Red shoe", "description": "Size 42"})
}

fn media(height: &str) -> Value {
    json!({"height": height, "contentInfo": {"fileUrl": "https://shop.example/red.png", "altText": "A shoe"}})
}

fn replies(count: usize) -> Value {
    (0..count)
        .map(|n| json!({"reply": {"text": format!("Yes {n}"), "postbackData": format!("y{n}")}}))
        .collect()
}

fn carousel(width: &str, cards: &[Value]) -> Value {
    json!({"carouselCard": {"cardWidth": width, "cardContents": cards}})
}

#[test]
fn acc_156_rich_text_is_allowed_only_in_the_text_of_a_message() {
    let harness = MessageHarness::new();
    let rich = json!({"text": {"message": "A **bold** word", "containsRichText": true}});
    send(&harness, &rich).ok();
    assert_eq!(harness.client_sends(PLAIN, &wrap(&rich))["text"], "A **bold** word");
    let mut in_card = card();
    in_card["containsRichText"] = json!(true);
    let reply = json!({"reply": {"text": "Yes", "postbackData": "y", "containsRichText": true}});
    let action = json!({"action": {"text": "Call", "postbackData": "c", "containsRichText": true}});
    let with = |suggestion: &Value| json!({"text": {"message": "Hi"}, "suggestions": [suggestion]});
    for (content, field) in [
        (json!({"standaloneCard": in_card}), "/business_chat/standaloneCard/containsRichText"),
        (with(&reply), "/business_chat/suggestions/0/reply/containsRichText"),
        (with(&action), "/business_chat/suggestions/0/action/containsRichText"),
    ] {
        send(&harness, &content).rejects(field);
        harness.client_refuses(PLAIN, &wrap(&content), "business_chat.rich_text.misplaced");
    }
}

#[test]
fn acc_157_suggestions_have_limits_of_length_and_number() {
    let harness = MessageHarness::new();
    let tap = |length: usize| json!([{"reply": {"text": "t".repeat(length), "postbackData": "p"}}]);
    let message = |suggestions: Value| json!({"text": {"message": "Hi"}, "suggestions": suggestions});
    let with_card = |count: usize| {
        let mut card = card();
        card["suggestions"] = replies(count);
        json!({"standaloneCard": card})
    };
    for good in [message(tap(25)), message(replies(13)), with_card(4)] {
        send(&harness, &good).ok();
        harness.client_sends(PLAIN, &wrap(&good));
    }
    let place = "/business_chat/suggestions";
    for (bad, field, code) in [
        (message(tap(26)), format!("{place}/0/reply/text"), "business_chat.suggestion.text.too_long"),
        (message(replies(14)), place.to_owned(), "business_chat.suggestions.too_many"),
        (
            with_card(5),
            "/business_chat/standaloneCard/suggestions".to_owned(),
            "business_chat.card.suggestions.too_many",
        ),
    ] {
        send(&harness, &bad).rejects(&field);
        harness.client_refuses(PLAIN, &wrap(&bad), code);
    }
}

#[test]
fn acc_158_a_card_needs_media_or_a_title_and_a_carousel_2_to_10_cards() {
    let harness = MessageHarness::new();
    let bare = json!({"standaloneCard": {"description": "only words"}});
    send(&harness, &bare).rejects("/business_chat/standaloneCard");
    harness.client_refuses(PLAIN, &wrap(&bare), "business_chat.card.empty");
    send(&harness, &json!({"standaloneCard": {"media": media("SHORT")}})).ok();
    for (count, fits) in [(1, false), (2, true), (10, true), (11, false)] {
        let content = carousel("MEDIUM", &vec![card(); count]);
        if fits {
            send(&harness, &content).ok();
            harness.client_sends(PLAIN, &wrap(&content));
        } else {
            send(&harness, &content).rejects("/business_chat/carouselCard/cardContents");
            let code =
                if count < 2 { "business_chat.carousel.too_few" } else { "business_chat.carousel.too_many" };
            harness.client_refuses(PLAIN, &wrap(&content), code);
        }
    }
}

#[test]
fn acc_159_tall_media_in_small_cards_and_nested_cards_are_rejected() {
    let harness = MessageHarness::new();
    let with = |height: &str| json!({"title": "Shoe", "media": media(height)});
    let tall = carousel("SMALL", &[with("SHORT"), with("TALL")]);
    let cards = "/business_chat/carouselCard/cardContents";
    send(&harness, &tall).rejects(&format!("{cards}/1/media/height"));
    harness.client_refuses(PLAIN, &wrap(&tall), "business_chat.carousel.small_tall");
    send(&harness, &carousel("MEDIUM", &[with("TALL"), with("TALL")])).ok();
    harness.client_sends(PLAIN, &wrap(&carousel("SMALL", &[with("MEDIUM"), with("MEDIUM")])));
    for inner in [json!({"standaloneCard": card()}), carousel("SMALL", &[card(), card()])] {
        let mut nest = card();
        nest.as_object_mut().unwrap().extend(inner.as_object().unwrap().clone());
        let content = carousel("MEDIUM", &[card(), nest]);
        send(&harness, &content).rejects(&format!("{cards}/1"));
        harness.client_refuses(PLAIN, &wrap(&content), "business_chat.carousel.nested");
    }
    for (dp, fits) in [(111, false), (112, true), (344, true), (345, false)] {
        assert_eq!(check_card_height(dp).is_empty(), fits, "{dp}");
    }
    let id = harness.sent(PLAIN, &wrap(&json!({"standaloneCard": with("TALL")})));
    assert_eq!(harness.message(&id)["media_heights"], json!([264]), "in DP");
    let id = harness.sent(PLAIN, &wrap(&carousel("MEDIUM", &[with("SHORT"), with("MEDIUM")])));
    assert_eq!(harness.message(&id)["media_heights"], json!([112, 168]));
}

#[test]
fn acc_160_a_message_to_a_device_without_support_requires_a_fallback() {
    let harness = MessageHarness::new();
    let content = json!({"standaloneCard": card()});
    let refused = harness.send(OLD_PHONE, &wrap(&content)).is(400).json();
    assert!(refused["message"].as_str().unwrap().to_lowercase().contains("failed precondition"));
    let body = harness.body(OLD_PHONE, &wrap(&content)).to_string();
    let error = harness.client().call_json(OperationId::MessagesSend, &body).unwrap_err();
    assert_eq!((error.outcome, error.status), (Outcome::Rejected, Some(400)));
    assert!(harness.inbox().is_empty());
    let mut with = content;
    with["fallback"] = json!("A red shoe, size 42");
    let id = harness.sent(OLD_PHONE, &wrap(&with));
    assert_eq!(harness.message(&id)["text"], "A red shoe, size 42");
    assert_eq!(harness.client_sends(OLD_PHONE, &wrap(&with))["text"], "A red shoe, size 42");
}

#[test]
fn acc_161_a_forced_fallback_replaces_the_message() {
    let harness = MessageHarness::new();
    let content =
        |force: bool| json!({"text": {"message": "Rich"}, "fallback": "Plain", "forceFallback": force});
    let shown = |force: bool| {
        let id = harness.sent(PLAIN, &wrap(&content(force)));
        harness.message(&id)
    };
    assert_eq!(shown(false)["text"], "Rich");
    let forced = shown(true);
    assert_eq!((&forced["text"], &forced["shown"]), (&json!("Plain"), &json!("fallback")));
}

#[test]
fn acc_162_line_breaks_of_a_fallback_are_kept() {
    let harness = MessageHarness::new();
    let text = "one\ntwo\r\nthree";
    let content = json!({"text": {"message": "Rich"}, "fallback": text, "forceFallback": true});
    let id = harness.sent(PLAIN, &wrap(&content));
    assert_eq!(harness.message(&id)["text"], text);
    let id = harness.sent(OLD_PHONE, &wrap(&json!({"text": {"message": "Rich"}, "fallback": text})));
    assert_eq!(harness.message(&id)["text"], text);
}

#[test]
fn acc_163_a_representative_is_a_bot_or_a_human() {
    let harness = MessageHarness::new();
    let by = |kind: &str| {
        let who = json!({"displayName": "Ann", "representativeType": kind});
        send(&harness, &json!({"text": {"message": "Hi"}, "representative": who}))
    };
    by("BOT").ok();
    by("HUMAN").ok();
    by("GHOST").rejects("/business_chat/representative/representativeType");
    by("bot").rejects("/business_chat/representative/representativeType");
}

#[test]
fn acc_164_the_card_width_is_small_or_medium() {
    let harness = MessageHarness::new();
    for (width, status) in [("SMALL", 200), ("MEDIUM", 200)] {
        send(&harness, &carousel(width, &[card(), card()])).is(status);
    }
    for width in ["LARGE", "small", ""] {
        send(&harness, &carousel(width, &[card(), card()])).rejects("/business_chat/carouselCard/cardWidth");
    }
}
