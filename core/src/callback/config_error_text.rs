//! Error messages for configurations in JSON: they name the invalid member without its value, which may be a secret.

use serde_json::error::Category;

use crate::printable::{MAX_NAME, printable};
use crate::util::{nearest, serde_message};

/// The message of an error: the member and its requirement, but no value. `None` if the text is not valid JSON.
pub(super) fn describe(json: &str, error: &serde_json::Error) -> Option<String> {
    if error.classify() != Category::Data {
        return None;
    }
    let text = error.to_string();
    let path = path_at(json, offset(json, error.line(), error.column()));
    let named = |name: &str| {
        if path.ends_with(name) || path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
    };
    if let Some(name) = name_after(&text, "missing field") {
        return Some(format!("`{}` is required", named(name)));
    }
    if name_after(&text, "unknown field").is_some() {
        let name = path.rsplit('.').next().unwrap_or_default();
        // The message of serde ends with the names in backticks.
        let names = text.rsplit_once(", expected ").map_or("", |(_, names)| names);
        let meant = nearest(name, &mut names.split('`').skip(1).step_by(2));
        let advice = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        return Some(format!("`{path}` is not a documented member{advice}"));
    }
    if name_after(&text, "duplicate field").is_some() {
        return Some(format!("`{path}` must occur once"));
    }
    if path.is_empty() {
        return Some("must be a JSON object".to_owned());
    }
    let expected = serde_message::expected_type(&text).unwrap_or("of the documented type");
    Some(format!("`{path}` must be {expected}"))
}

/// The name in backticks after the beginning of a message.
fn name_after<'a>(message: &'a str, beginning: &str) -> Option<&'a str> {
    message.strip_prefix(beginning)?.strip_prefix(" `")?.split('`').next()
}

/// The byte offset of a line and a column, both from 1.
fn offset(json: &str, line: usize, column: usize) -> usize {
    let before: usize = json.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    before + column
}

/// The maximum length of a key that is shown.
const MAX_KEY: usize = 40;

/// An object with its current key, or an array with its current index.
enum Container {
    Object(String),
    Array(usize),
}

/// The path of the member that ends at a byte offset of valid JSON, such as `delivery_keys.keys[0].kid`.
fn path_at(json: &str, offset: usize) -> String {
    let mut containers: Vec<Container> = Vec::new();
    let mut string: Option<String> = None;
    let mut is_key = false;
    let mut is_escaped = false;
    for c in json.char_indices().take_while(|(at, _)| *at < offset).map(|(_, c)| c) {
        if let Some(text) = &mut string {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => {
                    let text = string.take().unwrap_or_default();
                    if let (true, Some(Container::Object(key))) = (is_key, containers.last_mut()) {
                        *key = text;
                        is_key = false;
                    }
                }
                c => text.push(c),
            }
            continue;
        }
        match c {
            '"' => string = Some(String::new()),
            '{' => {
                containers.push(Container::Object(String::new()));
                is_key = true;
            }
            '[' => containers.push(Container::Array(0)),
            '}' | ']' => drop(containers.pop()),
            ',' => match containers.last_mut() {
                Some(Container::Array(index)) => *index += 1,
                _ => is_key = true,
            },
            _ => {}
        }
    }
    printable(&path_text(&containers), MAX_NAME).into_owned()
}

/// The path through nested containers. A key that is not like a name is hidden, because it could be a misplaced secret.
fn path_text(containers: &[Container]) -> String {
    let mut path = String::new();
    for container in containers {
        match container {
            Container::Array(index) => path += &format!("[{index}]"),
            Container::Object(key) if key.is_empty() => {}
            Container::Object(key) => {
                let is_name = key.len() <= MAX_KEY
                    && key.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphabetic());
                path += if path.is_empty() { "" } else { "." };
                path += if is_name { key } else { "…" };
            }
        }
    }
    path
}
