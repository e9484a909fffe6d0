//! Answers in XML, brought to the members of the JSON form.

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, Event};
use serde_json::{Map, Value};

/// The children of the root as members, each with its text; none when the body is no XML.
///
/// The specification shows no shape for `/sms.xml`: the names of the JSON members are expected one level below the root.
pub(crate) fn members(body: &[u8]) -> Option<Map<String, Value>> {
    let body = body.trim_ascii().strip_prefix("\u{feff}".as_bytes()).unwrap_or(body).trim_ascii();
    if !body.starts_with(b"<") {
        return None;
    }
    let mut reader = Reader::from_str(std::str::from_utf8(body).ok()?);
    let mut members = Map::new();
    let (mut depth, mut ended) = (0_usize, false);
    let (mut name, mut text) = (String::new(), String::new());
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => {
                depth += 1;
                if depth == 2 {
                    name = start.local_name().as_ref().to_owned();
                    text.clear();
                }
            }
            Event::Text(part) if depth == 2 => text.push_str(&part.xml10_content()),
            Event::CData(part) if depth == 2 => text.push_str(&part.xml10_content()),
            Event::GeneralRef(entity) if depth == 2 => text.push_str(&resolve(&entity)?),
            Event::End(_) => {
                if depth == 2 {
                    members.insert(std::mem::take(&mut name), Value::String(std::mem::take(&mut text)));
                }
                depth = depth.checked_sub(1)?;
                ended = depth == 0;
            }
            Event::Eof => return (ended && depth == 0).then_some(members),
            _ => {}
        }
    }
}

fn resolve(entity: &BytesRef<'_>) -> Option<String> {
    match entity.resolve_char_ref().ok()? {
        Some(character) => Some(character.to_string()),
        None => resolve_xml_entity(entity).map(str::to_owned),
    }
}
