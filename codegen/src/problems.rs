//! `docs/problems.md`: the table of codes, with pointers and examples from the vectors.

use std::collections::BTreeMap;
use std::fmt::Write;

use cpaas::Severity;
use cpaas::problem::{Code, codes};
use serde_json::Value;

use crate::root;

const HEAD: &str = "# Problems

The problems that validation reports, the same in every language. Generated from the table of codes in
`core/src/problem/codes.rs` and the vectors in `tests/vectors/problems`: change those, then run `cargo run -p codegen`.

An **error** breaks a rule of the [specification](specification.md), and the client does not send the request. A **warning** is
allowed but probably not intended. An **info** is worth knowing. `pointer` is a JSON pointer into the request (RFC 6901); the
root is the empty string. It leads to a value, or names a missing member of an object that is present. `message` says what is
expected, then what was found, and never quotes the request; positions in it count code points from 0. Characters and names are in `params`: `limit`, `actual` and `unit`, `span` (bytes and
UTF-16 units), `allowed`, `suggestion`, `characters`, `indices`, and others. `fix` edits the text at the pointer (`replace`) or
renames the member (`rename`). One pass reports all problems, in the order of the specification's tables; unknown members come
last, by name.

\"Characters\" are code points. Where the specification is silent, validation decides as follows
([assumptions.md](assumptions.md) lists what the sandbox decides):

- Family B states no limits for `from`: the rules for a sender are warnings there, and errors at `/sms/sender`.
- `messenger_c` addresses a recipient by an identifier of its own, every other channel by phone number:
  `msg.destination.not_phone`. If `sms` is the only channel, a destination that contains a letter is not a number:
  `msg.destination.not_number`. In bulk, each destination is checked.
- `buckets` and `channels` are arrays, or strings that contain one, which is the form on the wire (A8, A9). Pointers lead into
  the string as into the array (`/buckets/0/max`), and a `fix` there edits the array.
- A member that is `null` counts as absent. If a member occurs twice, the last one counts (`json.duplicate_member`).
- `60.0` is not an integer: it would be sent as written.
- A member of a wrong type is reported once, with a code of its own where it has one. The rest is checked as if it were valid.
- One problem names all invalid elements (`indices`) for `failover.timeout.accounts` and `business_chat.suggestion.duplicate`.
  Elsewhere each invalid element has a problem of its own.
- A finding that occurs several times in one text of `messenger_c` is one problem: `actual` is the number of occurrences,
  `span` the first one.
- A failover without `type` is read as `Timeout`, one without `status` as `Delivered`. These are the only documented values.
- `failover.ttl_over_timeout` and `failover.messenger_c.never_delivered` require another channel after the one named.
- A file name is the last segment of the URL's path, percent-decoded.
- An unknown file extension is not a problem: `.php` is not an error for a document.
- A parse mode in the wrong case is parsed as that mode. A text whose mode is unknown is not parsed.
- The username of a bot ends in `bot`, in any case.
";

struct Seen {
    place: String,
    example: String,
}

/// The generated file.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let seen = seen();
    let mut text = HEAD.to_owned();
    let family = |code: &Code| code.id.split('.').next().unwrap_or_default();
    let mut families: Vec<&str> = Vec::new();
    for code in codes::all() {
        if !families.contains(&family(code)) {
            families.push(family(code));
        }
    }
    for name in families {
        let columns = "| Code | Severity | Source | Rule | Where | Example |\n|---|---|---|---|---|---|";
        let _ = writeln!(text, "\n## {name}\n\n{columns}");
        for code in codes::all().into_iter().filter(|code| family(code) == name) {
            row(&mut text, code, seen.get(code.id));
        }
    }
    vec![("docs/problems.md".to_owned(), text)]
}

fn row(text: &mut String, code: &Code, seen: Option<&Seen>) {
    let severity = match code.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    let (place, example) = seen.map_or(("", ""), |seen| (&seen.place, &seen.example));
    let (id, source, rule) = (code.id, code.source, code.message.replace('|', "\\|"));
    let _ = writeln!(text, "| `{id}` | {severity} | {source} | {rule} | {place} | {example} |");
}

/// The cases of `tests/vectors/problems`, by file name.
pub(crate) fn cases() -> Vec<Value> {
    let folder = std::fs::read_dir(root().join("tests/vectors/problems"));
    let mut paths: Vec<_> = folder.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let file = |path| -> Option<Value> { serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok() };
    let cases = |file: &Value| file.get("cases").unwrap_or(file).as_array().cloned();
    paths.iter().filter_map(file).filter_map(|file| cases(&file)).flatten().collect()
}

/// For each code, the case named after it, or else the first one: the pointer and the value there.
fn seen() -> BTreeMap<String, Seen> {
    let mut seen = BTreeMap::new();
    let all = cases();
    let is_called =
        |case: &Value, code: &str| case.get("id").and_then(Value::as_str) == Some(&format!("{code}/invalid"));
    for (case, own) in all.iter().map(|case| (case, true)).chain(all.iter().map(|case| (case, false))) {
        for problem in case.get("expect").and_then(Value::as_array).into_iter().flatten() {
            let member = |name| problem.get(name).and_then(Value::as_str).unwrap_or_default();
            if own && !is_called(case, member("code")) {
                continue;
            }
            seen.entry(member("code").to_owned()).or_insert_with(|| Seen {
                place: place(member("pointer"), case),
                example: example(case.get("request"), member("pointer")),
            });
        }
    }
    seen
}

fn place(pointer: &str, case: &Value) -> String {
    let is_index = |token: &str| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    let tokens: Vec<&str> =
        pointer.split('/').map(|token| if is_index(token) { "N" } else { token }).collect();
    let place = if pointer.is_empty() { "the request".to_owned() } else { format!("`{}`", tokens.join("/")) };
    match case.get("check").and_then(Value::as_str) {
        Some(check) => format!("{place} of `check_{check}`"),
        None => place,
    }
}

fn example(request: Option<&Value>, pointer: &str) -> String {
    match request.and_then(|request| request.pointer(pointer)) {
        None => "absent".to_owned(),
        Some(value) => {
            let text = value.to_string().replace('|', "\\|");
            let cut = text.char_indices().nth(60).map_or(text.len(), |(at, _)| at);
            let (head, tail) = text.split_at(cut);
            format!("`{head}{}`", if tail.is_empty() { "" } else { "…" })
        }
    }
}
