//! Rows 150 to 155: the rules of `messenger_c`.

use serde_json::{Value, json};

use crate::harness::Reply;
use crate::message_harness::MessageHarness;

const USER: &str = "4711";

fn send(harness: &MessageHarness, content: &Value) -> Reply {
    harness.send(USER, &json!({"messenger_c": content}))
}

fn text(message: &str, mode: &str) -> Value {
    json!({"text": {"message": message, "parseMode": mode}})
}

#[test]
fn acc_150_the_length_of_a_text_is_counted_without_its_markup() {
    let harness = MessageHarness::new();
    let forms =
        [("Default", "", ""), ("Markdown", "*", "*"), ("Html", "<b>", "</b>"), ("MarkdownV2", "*", "*")];
    for (mode, open, close) in forms {
        for (length, fits) in [(0, false), (1, true), (4096, true), (4097, false)] {
            let content = text(&format!("{open}{}{close}", "a".repeat(length)), mode);
            let reply = send(&harness, &content);
            if fits {
                reply.ok();
            } else {
                reply.rejects("/messenger_c/text/message");
            }
        }
    }
    let bold = json!({"messenger_c": text(&format!("<b>{}</b>", "a".repeat(4096)), "Html")});
    assert_eq!(harness.client_sends(USER, &bold)["content"], bold["messenger_c"]);
    let long = json!({"messenger_c": text(&"a".repeat(4097), "Default")});
    harness.client_refuses(USER, &long, "messenger_c.text.too_long");
    harness.client_refuses(USER, &json!({"messenger_c": text("", "Default")}), "messenger_c.text.empty");
    let torn = send(&harness, &text("ab *c", "MarkdownV2")).is(400);
    assert!(torn.assumes("D64"));
    let refused = torn.json();
    assert_eq!(refused["field"], "/messenger_c/text/message");
    assert!(refused["message"].as_str().unwrap().contains("position 3"), "{refused}");
}

#[test]
fn acc_151_a_photo_above_its_limits_is_rejected() {
    let harness = MessageHarness::new();
    let url = "https://pictures.example/a.jpg";
    let photo = |caption: &str| json!({"photo": {"url": url, "caption": caption, "parseMode": "Default"}});
    send(&harness, &photo("")).ok();
    send(&harness, &photo(&"c".repeat(1024))).ok();
    send(&harness, &photo(&"c".repeat(1025))).rejects("/messenger_c/photo/caption");
    send(&harness, &json!({"photo": {"caption": "c"}})).rejects("/messenger_c/photo/url");
    for (facts, fits) in [
        (json!({"bytes": 10_485_760, "width": 6000, "height": 4000}), true),
        (json!({"bytes": 10_485_761, "width": 6000, "height": 4000}), false),
        (json!({"width": 6001, "height": 4000}), false),
        (json!({"width": 2000, "height": 100}), true),
        (json!({"width": 2001, "height": 100}), false),
        (json!({"width": 100, "height": 2100}), false),
    ] {
        let mut reported = facts.clone();
        reported["url"] = json!(url);
        harness.control("PUT", "/media", &reported);
        assert_eq!(send(&harness, &photo("c")).status, if fits { 200 } else { 400 }, "{facts}");
    }
}

#[test]
fn acc_152_an_extension_of_another_kind_of_file_is_rejected() {
    let harness = MessageHarness::new();
    let table: [(&str, &[&str], &[&str]); 3] = [
        ("document", &[".gif", ".pdf", ".zip", "", ".unheard"], &[".mp4", ".mp3", ".jpg"]),
        ("video", &[".mp4", ".ogg", "", ".unheard"], &[".pdf", ".mp3", ".zip"]),
        ("voice", &[".ogg", ".mp3", "", ".unheard"], &[".mp4", ".pdf", ".gif"]),
    ];
    for (kind, good, bad) in table {
        let ask = |extension: &str| {
            send(&harness, &json!({kind: {"url": format!("https://files.example/name{extension}")}}))
        };
        for extension in good {
            assert_eq!(ask(extension).status, 200, "{kind} {extension}");
        }
        for extension in bad {
            ask(extension).rejects(&format!("/messenger_c/{kind}/url"));
        }
    }
}

#[test]
fn acc_153_coordinates_outside_their_limits_are_rejected() {
    let harness = MessageHarness::new();
    let ask = |latitude: Value, longitude: Value| {
        send(&harness, &json!({"location": {"latitude": latitude, "longitude": longitude}}))
    };
    ask(json!(90), json!(-180)).ok();
    ask(json!(37.98), json!(23.73)).ok();
    ask(json!(91), json!(0)).rejects("/messenger_c/location/latitude");
    ask(json!(0), json!(181)).rejects("/messenger_c/location/longitude");
    ask(json!("37.98"), json!(0)).rejects("/messenger_c/location/latitude");
    ask(json!(0), json!("23.73")).rejects("/messenger_c/location/longitude");
}

#[test]
fn acc_154_unknown_parse_modes_are_rejected_and_ignored_members_are_flagged() {
    let harness = MessageHarness::new();
    send(&harness, &text("Hi", "Markup")).rejects("/messenger_c/text/parseMode");
    for mode in ["html", "MARKDOWN", "markdownv2", "default"] {
        send(&harness, &text("Hi", mode)).ok();
        assert!(harness.warnings().contains("/messenger_c/text/parseMode"), "{mode}: {}", harness.warnings());
    }
    let url = "https://files.example/a.pdf";
    send(&harness, &json!({"document": {"url": url, "thumb": "https://files.example/t.jpg"}})).ok();
    assert!(harness.warnings().contains("/messenger_c/document/thumb"));
    send(&harness, &json!({"video": {"url": "https://files.example/a.mp4", "thumb": "x"}})).ok();
    assert!(harness.warnings().contains("/messenger_c/video/thumb"));
}

#[test]
fn acc_155_the_member_silent_is_kept() {
    let harness = MessageHarness::new();
    let id = harness.sent(USER, &json!({"messenger_c": {"silent": true, "text": {"message": "Psst"}}}));
    let shown = harness.message(&id);
    assert_eq!((&shown["content"]["silent"], &shown["text"]), (&json!(true), &json!("Psst")));
}
