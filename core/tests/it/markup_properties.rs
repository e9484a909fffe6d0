//! Properties of the parser for random texts.

use cpaas::bindings::parse_markup_json;
use cpaas::markup::{Entity, MarkupError, Mode, escape, fix, parse, parse_bytes};
use proptest::prelude::*;

/// Pieces of all three dialects, so that random texts have open, nested and incomplete entities.
const PIECES: &[&str] = &[
    "*",
    "_",
    "__",
    "~",
    "||",
    "`",
    "```",
    "[",
    "](",
    ")",
    "](a.b)",
    "![",
    "](tg://emoji?id=5)",
    "](tg:user?id=7)",
    ">",
    "\n>",
    "||\n",
    "\\",
    "\n",
    "\r",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "</>",
    "<a href=\"a.b\">",
    "<a>",
    "</a>",
    "<pre>",
    "</pre>",
    "<code class=\"language-c\">",
    "</code>",
    "<blockquote expandable>",
    "</blockquote>",
    "<span class=\"tg-spoiler\">",
    "</span>",
    "<tg-emoji emoji-id=5>",
    "</tg-emoji>",
    "<tg-time unix=\"5\" format=\"dt\">",
    "</tg-time>",
    "<",
    "&",
    "&lt;",
    "&#65;",
    "&#xD800;",
    "&nbsp;",
    "a",
    "b c",
    " ",
    "é",
    "日",
    "🏟",
    "\u{200e}",
    "\u{202e}",
    "\u{30a}",
    "\0",
    "\t",
    ".",
    "=",
    "\"",
    "'",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        proptest::collection::vec(proptest::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat()),
    ]
}

fn mode() -> impl Strategy<Value = Mode> {
    proptest::sample::select(Mode::ALL.to_vec())
}

/// Entities are not empty, are on character boundaries in `text` and, if required, are sorted.
fn check_entities(text: &str, entities: &[Entity], ordered: bool) {
    let mut boundaries = vec![0];
    boundaries.extend(text.chars().scan(0, |at, c| {
        *at += c.len_utf16() as u32;
        Some(*at)
    }));
    for entity in entities {
        assert!(entity.length > 0);
        assert!(
            boundaries.binary_search(&entity.offset).is_ok()
                && boundaries.binary_search(&entity.end()).is_ok()
        );
    }
    if ordered {
        assert!(entities.is_sorted_by_key(|entity| (entity.offset, u32::MAX - entity.length)));
    }
}

fn check_error(text: &str, error: &MarkupError) {
    let before = text.get(..error.byte_offset).expect("the position of an error is on a character boundary");
    assert_eq!(before.encode_utf16().count(), error.utf16_offset);
    assert!(!error.message.is_empty());
    assert!(!format!("{error:?} {error}").contains(&error.message));
}

fn check_text(text: &str, mode: Mode) {
    match parse(text, mode) {
        Err(error) => check_error(text, &error),
        Ok(parsed) => {
            check_entities(&parsed.text, &parsed.entities, mode != Mode::Markdown);
            check_entities(&parsed.sent.text, &parsed.sent.entities, true);
            assert_eq!(parsed.sent.code_points, parsed.sent.text.chars().count());
            assert_eq!(parsed.sent.utf16_units, parsed.sent.text.encode_utf16().count());
            assert_eq!(parsed.sent.text.trim_end_matches([' ', '\n']), parsed.sent.text);
            for finding in &parsed.findings {
                let utf16 = |at: usize| text.get(..at).unwrap().encode_utf16().count();
                assert!(finding.start < finding.end);
                assert_eq!((utf16(finding.start), utf16(finding.end)), (finding.start16, finding.end16));
            }
        }
    }
    let json: serde_json::Value = serde_json::from_str(&parse_markup_json(text, mode.name())).unwrap();
    assert!(json["error"].is_object() != json["sent"].is_object());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_parses_or_fails_at_a_valid_position(text in text(), mode in mode()) {
        check_text(&text, mode);
    }

    #[test]
    fn escaped_text_parses_to_itself(text in text(), mode in mode()) {
        let parsed = parse(&escape(&text, mode), mode).unwrap();
        prop_assert_eq!(&parsed.text, &text);
        prop_assert!(parsed.entities.is_empty());
    }

    #[test]
    fn any_bytes_parse_or_fail(bytes in proptest::collection::vec(any::<u8>(), 0..64), mode in mode()) {
        let result = parse_bytes(&bytes, mode);
        if std::str::from_utf8(&bytes).is_err() {
            prop_assert_eq!(result.unwrap_err().kind.code(), "invalid_unicode");
        }
    }

    /// After a fix, the first error is later in the text or gone, so that repeated fixes end.
    #[test]
    fn repeated_fixes_end(text in text(), mode in mode()) {
        let mut text = text;
        let rounds = 4 * text.len() + 4;
        for _ in 0..rounds {
            let Err(error) = parse(&text, mode) else { return Ok(()) };
            let Some(edit) = fix(&text, mode, &error) else { return Ok(()) };
            text.replace_range(edit.start..edit.end, &edit.insert);
            prop_assert!(parse(&text, mode).err() != Some(error));
        }
        prop_assert!(false, "still failing after {} fixes", rounds);
    }
}
