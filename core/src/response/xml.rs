//! Reads responses in XML as the members of the JSON form.

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, Event};
use serde_json::{Map, Value};

/// Whether a body was read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The body is complete.
    Whole,
    /// The body is complete, except for undeclared entities, which are dropped.
    Gaps,
    /// The body is truncated, or not XML.
    Cut,
}

/// The maximum depth of elements.
const MAX_DEPTH: usize = 128;

/// The children of the root as members, each with its text; `None` if the body is not complete XML.
///
/// The structure of `/sms.xml` is undocumented: the names of the JSON members are expected one level below the root.
pub(crate) fn members(body: &[u8]) -> Option<Map<String, Value>> {
    let mut members = Map::new();
    let end = walk(start(body)?, |_, name, text| {
        members.insert(name.to_owned(), Value::String(text));
    });
    (end == End::Whole).then_some(members)
}

/// The body without surrounding white space and without a byte order mark; `None` if it cannot be XML.
pub(crate) fn start(body: &[u8]) -> Option<&[u8]> {
    let body = body.trim_ascii().strip_prefix("\u{feff}".as_bytes()).unwrap_or(body).trim_ascii();
    body.starts_with(b"<").then_some(body)
}

/// At the end of each child of the root, calls `each` with the name of the root, the name of the child (without namespace
/// prefixes) and the text of the child.
pub(crate) fn walk(body: &[u8], mut each: impl FnMut(&str, &str, String)) -> End {
    let Some(text) = valid(body) else { return End::Cut };
    let mut reader = Reader::from_str(text);
    let mut names: Vec<String> = Vec::new();
    let (mut held, mut end) = (String::new(), End::Whole);
    loop {
        let Ok(event) = reader.read_event() else { return End::Cut };
        let inside = names.len() == 2;
        match event {
            Event::Start(start) => {
                if names.len() == MAX_DEPTH {
                    return End::Cut;
                }
                if names.len() == 1 {
                    held.clear();
                }
                names.push(start.local_name().as_ref().to_owned());
            }
            Event::Text(part) if inside => held.push_str(&part.xml10_content()),
            Event::CData(part) if inside => held.push_str(&part.xml10_content()),
            Event::GeneralRef(entity) if inside => match resolve(&entity) {
                Some(text) => held.push_str(&text),
                None => end = End::Gaps,
            },
            Event::End(_) => {
                if let [root, name] = names.as_slice() {
                    each(root, name, std::mem::take(&mut held));
                }
                names.pop();
                if names.is_empty() {
                    break;
                }
            }
            Event::Eof => return End::Cut,
            _ => {}
        }
    }
    if text.len() == body.len() { end } else { End::Cut }
}

/// The valid part of the text: a truncated body may end inside a character.
fn valid(body: &[u8]) -> Option<&str> {
    let up_to = match std::str::from_utf8(body) {
        Ok(text) => return Some(text),
        Err(error) => error.valid_up_to(),
    };
    std::str::from_utf8(body.get(..up_to)?).ok()
}

fn resolve(entity: &BytesRef<'_>) -> Option<String> {
    match entity.resolve_char_ref().ok()? {
        Some(character) => Some(character.to_string()),
        None => resolve_xml_entity(entity).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_DEPTH, members};

    #[test]
    fn depth_is_limited() {
        let deep = |depth: usize| ["<a>".repeat(depth), "</a>".repeat(depth)].concat();
        assert!(members(deep(MAX_DEPTH).as_bytes()).is_some());
        assert!(members(deep(MAX_DEPTH + 1).as_bytes()).is_none());
        assert!(members("<a>".repeat(2_000_000).as_bytes()).is_none());
    }
}
