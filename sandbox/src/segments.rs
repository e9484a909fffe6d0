//! How an SMS is split, as the inbox shows it.

use cpaas::text::{Encoding, SegmentOptions, segments};
use serde_json::{Map, Value, json};

/// `encoding`, `parts` (the texts), `units` and the like.
pub(crate) fn show(text: &str) -> Map<String, Value> {
    let mut shown = Map::new();
    if let Ok(split) = segments(text, &SegmentOptions::default()) {
        let name = if split.encoding == Encoding::Gsm7 { "gsm7" } else { "ucs2" };
        let parts: Vec<&str> = split.parts.iter().filter_map(|part| text.get(part.start..part.end)).collect();
        shown.insert("encoding".to_owned(), Value::from(name));
        shown.insert("parts".to_owned(), Value::from(split.count));
        shown.insert("units".to_owned(), Value::from(split.units));
        shown.insert("part_texts".to_owned(), json!(parts));
    }
    shown
}
