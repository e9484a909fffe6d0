//! Rows 139, 143, 144 and 149 to 164: the rules of the channel objects. Each case is a content and the status it gets.

use serde_json::{Value, json};

use crate::chat::{body, send, state, status};
use crate::lab::Lab;

#[track_caller]
fn check(channel: &str, cases: &[(Value, u16)]) {
    let lab = Lab::new(&[]);
    for (content, expected) in cases {
        let reply = lab.post("/messages/send", body(&lab, json!({ channel: content })));
        let short: String = content.to_string().chars().take(160).collect();
        assert_eq!(reply.status, *expected, "{short}: {}", reply.text);
        if *expected == 400 {
            assert!(
                reply.json()["field"].as_str().unwrap().starts_with(&format!("/{channel}")),
                "{}",
                reply.text
            );
        }
    }
}

#[test]
fn acc_139_the_types_of_messenger_b() {
    let kind = |kind: &str| json!({"type": kind, "text": "Hi"});
    check(
        "messenger_b",
        &[
            (kind("session"), 200),
            (kind("promotional"), 200),
            (kind("transactional"), 200),
            (kind("regular"), 200),
            (kind("other"), 400),
        ],
    );
    let lab = Lab::new(&[]);
    let reply = lab.post("/messages/send", body(&lab, json!({"messenger_b": kind("regular")})));
    assert!(reply.assumed().contains("D46"));
}

#[test]
fn acc_143_buttons() {
    let button = |button: Value| json!({"type": "transactional", "text": "Hi", "button": button});
    check(
        "messenger_b",
        &[
            (button(json!({"caption": "Go", "action": "https://a.example/"})), 200),
            (button(json!({"action": "https://a.example/"})), 200),
            (button(json!({"caption": "Go", "action": "app://open"})), 200),
            (button(json!({"caption": "Go", "action": "not a link"})), 400),
        ],
    );
}

#[test]
fn acc_144_files() {
    let file = |file: Value| json!({"type": "transactional", "file": file});
    let url = "https://a.example/x.pdf";
    check(
        "messenger_b",
        &[
            (file(json!({"mediaUrl": url, "fileName": "a".repeat(21) + ".pdf"})), 200),
            (file(json!({"mediaUrl": url, "fileName": "a".repeat(22) + ".pdf"})), 400),
            (file(json!({"mediaUrl": url})), 200),
            (file(json!({"mediaUrl": "https://a.example/"})), 400),
        ],
    );
    let lab = Lab::new(&[]);
    lab.control("PUT", "/media", json!({"url": url, "bytes": 200_000_001}));
    assert_eq!(status(&lab, json!({"messenger_b": file(json!({"mediaUrl": url}))})), 400);
}

#[test]
fn acc_149_kinds_and_keyboards_pass_unvalidated() {
    let lab = Lab::new(&[]);
    let content =
        json!({"type": "transactional", "text": "Hi", "keyboard": {"buttons": [1]}, "sticker": {"id": 7}});
    let id = send(&lab, json!({"messenger_b": content}));
    assert_eq!(state(&lab, &id)["content"], content);
    assert!(lab.requests().last().unwrap()["warnings"].to_string().contains("keyboard"), "flagged");
}

#[test]
fn acc_150_texts_are_counted_after_parsing() {
    let text = |message: String, mode: &str| json!({"text": {"message": message, "parseMode": mode}});
    let marked = |mode: &str, length: usize| match mode {
        "Html" => format!("<b>{}</b>", "a".repeat(length)),
        "Default" => "a".repeat(length),
        _ => format!("*{}*", "a".repeat(length)),
    };
    for mode in ["Default", "Markdown", "Html", "MarkdownV2"] {
        check(
            "messenger_c",
            &[
                (text(String::new(), mode), 400),
                (text(marked(mode, 1), mode), 200),
                (text(marked(mode, 4_096), mode), 200),
                (text(marked(mode, 4_097), mode), 400),
            ],
        );
    }
}

#[test]
fn acc_151_captions_and_photos() {
    let photo =
        |caption: usize| json!({"photo": {"url": "https://a.example/p.jpg", "caption": "a".repeat(caption)}});
    check(
        "messenger_c",
        &[(photo(1_024), 200), (photo(1_025), 400), (json!({"photo": {"caption": "a"}}), 400)],
    );
    let lab = Lab::new(&[]);
    let told = |bytes: u64, width: u64, height: u64| {
        lab.control(
            "PUT",
            "/media",
            json!({"url": "https://a.example/p.jpg", "bytes": bytes, "width": width, "height": height}),
        );
        status(&lab, json!({"messenger_c": photo(1)}))
    };
    assert_eq!([told(10_000_000, 5_000, 5_000), told(10_000_001, 10, 10)], [200, 400]);
    assert_eq!([told(1, 5_000, 5_001), told(1, 200, 10), told(1, 210, 10)], [400, 200, 400]);
}

#[test]
fn acc_152_extensions() {
    let file = |kind: &str, end: &str| json!({ kind: {"url": format!("https://a.example/f{end}")} });
    check(
        "messenger_c",
        &[
            (file("document", ".pdf"), 200),
            (file("document", ".gif"), 200),
            (file("document", ".zip"), 200),
            (file("document", ".mp3"), 400),
            (file("video", ".mp4"), 200),
            (file("video", ".ogg"), 200),
            (file("video", ".pdf"), 400),
            (file("voice", ".ogg"), 200),
            (file("voice", ".mp3"), 200),
            (file("voice", ".mp4"), 400),
            (file("document", ""), 200),
            (file("voice", ".unknown"), 200),
        ],
    );
}

#[test]
fn acc_153_places() {
    let at = |latitude: Value, longitude: Value| json!({"location": {"latitude": latitude, "longitude": longitude}});
    check(
        "messenger_c",
        &[
            (at(json!(90), json!(-180)), 200),
            (at(json!(91), json!(0)), 400),
            (at(json!(0), json!(181)), 400),
            (at(json!("1"), json!("2")), 400),
        ],
    );
}

#[test]
fn acc_154_155_modes_thumbs_and_silence() {
    let text = |mode: &str| json!({"text": {"message": "Hi", "parseMode": mode}});
    check("messenger_c", &[(text("Fancy"), 400), (text("HTML"), 200)]);
    let lab = Lab::new(&[]);
    assert_eq!(status(&lab, json!({"messenger_c": text("HTML")})), 200);
    assert!(lab.requests().last().unwrap()["warnings"].to_string().contains("parseMode"), "flagged");
    let thumb = json!({"document": {"url": "https://a.example/f.pdf", "thumb": "https://a.example/t.png"}, "silent": true});
    let id = send(&lab, json!({"messenger_c": thumb}));
    assert_eq!(state(&lab, &id)["content"]["silent"], true);
}

#[test]
fn acc_154_malformed_markup_is_refused() {
    let content = json!({"text": {"message": "a *b", "parseMode": "MarkdownV2"}});
    let lab = Lab::new(&[]);
    lab.post("/messages/send", body(&lab, json!({"messenger_c": content}))).is(400);
}

fn card(changes: Value) -> Value {
    let mut card = json!({"title": "Shoe"});
    for (name, value) in changes.as_object().unwrap() {
        card[name] = value.clone();
    }
    card
}

fn replies(count: usize, length: usize) -> Value {
    json!(vec![json!({"reply": {"text": "a".repeat(length), "postbackData": "p"}}); count])
}

#[test]
fn acc_156_rich_text_has_its_place() {
    let rich = json!({"text": {"message": "*Hi*", "containsRichText": true}});
    check(
        "business_chat",
        &[
            (rich, 200),
            (json!({"standaloneCard": card(json!({"containsRichText": true}))}), 400),
            (
                json!({"text": {"message": "Hi"}, "suggestions": [{"reply": {"text": "a", "postbackData": "p", "containsRichText": true}}]}),
                400,
            ),
        ],
    );
}

#[test]
fn acc_157_suggestions() {
    let text = |suggestions: Value| json!({"text": {"message": "Hi"}, "suggestions": suggestions});
    let in_card = |count: usize| json!({"standaloneCard": card(json!({"suggestions": replies(count, 5)}))});
    check(
        "business_chat",
        &[
            (text(replies(1, 25)), 200),
            (text(replies(1, 26)), 400),
            (text(replies(13, 5)), 200),
            (text(replies(14, 5)), 400),
            (in_card(4), 200),
            (in_card(5), 400),
        ],
    );
}

#[test]
fn acc_158_164_cards_and_carousels() {
    let carousel = |count: usize, width: &str| json!({"carouselCard": {"cardWidth": width, "cardContents": vec![card(json!({})); count]}});
    check(
        "business_chat",
        &[
            (json!({"standaloneCard": {"description": "bare"}}), 400),
            (carousel(1, "MEDIUM"), 400),
            (carousel(2, "MEDIUM"), 200),
            (carousel(10, "SMALL"), 200),
            (carousel(11, "MEDIUM"), 400),
            (carousel(2, "HUGE"), 400),
        ],
    );
}

#[test]
fn acc_159_small_cards_and_nesting() {
    let tall =
        card(json!({"media": {"height": "TALL", "contentInfo": {"fileUrl": "https://a.example/p.png"}}}));
    let carousel = |width: &str, card: &Value| json!({"carouselCard": {"cardWidth": width, "cardContents": [card, card]}});
    let nested = card(json!({"carouselCard": {"cardContents": []}}));
    check(
        "business_chat",
        &[
            (carousel("MEDIUM", &tall), 200),
            (carousel("SMALL", &tall), 400),
            (carousel("MEDIUM", &nested), 400),
        ],
    );
}

#[test]
fn acc_163_representatives() {
    let of = |kind: &str| json!({"text": {"message": "Hi"}, "representative": {"displayName": "Ann", "representativeType": kind}});
    check("business_chat", &[(of("BOT"), 200), (of("HUMAN"), 200), (of("GHOST"), 400)]);
}
