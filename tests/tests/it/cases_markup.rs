//! The checks of the binary `cases`: the markup vectors pass, and the differences of failing cases are reported.

use cpaas_tests::cases::{check, run};

fn report(file: &str) -> (bool, String) {
    let mut out = Vec::new();
    let right = run(check("markup").unwrap(), file, &mut out).unwrap();
    (right, String::from_utf8(out).unwrap())
}

#[test]
fn the_vectors_pass() {
    let all = [include_str!("../../vectors/markup.json"), include_str!("../../vectors/markup_more.json")];
    for file in all {
        let (right, out) = report(file);
        assert!(right, "{out}");
    }
}

#[test]
fn differences_are_reported() {
    let (right, out) = report(
        r#"{"cases": [
            {"id": "a", "mode": "Html", "input": "<b>x</b>", "ok": true, "text": "y"},
            {"id": "b", "mode": "Html", "input": "<b>x", "ok": true},
            {"id": "c", "mode": "html", "input": "x", "kind": "unknown_mode"},
            {"id": "d", "mode": "Html", "input": "<tg-emoji emoji-id=5>x</tg-emoji>",
             "entities": [{"type": "CustomEmoji", "offset": 0, "length": 1, "custom_emoji_id": 5}]},
            {"id": "e", "mode": "Default", "input": "x", "compare": "text", "entities": 1}
        ]}"#,
    );
    assert!(!right);
    assert_eq!(out, "\"a\": text: expected \"y\", got \"x\"\n\"b\": ok: expected true, got false\n3/5\n");
}
