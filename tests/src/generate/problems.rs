//! `docs/problems.md`: the table of codes, with places and examples out of the vectors.

use std::collections::BTreeMap;
use std::fmt::Write;

use cpaas::Severity;
use cpaas::problem::{Code, codes};
use serde_json::Value;

const HEAD: &str = "# Problems

What validation says, the same in every language. Generated from the table of codes in `core/src/problem/codes.rs` and the
vectors in `tests/vectors/problems`: change those, then `UPDATE=1 cargo test -p cpaas-tests`.

An **error** is what the specification forbids, and refuses the call; a **warning** is allowed and probably not what was
meant; an **info** is worth knowing. `pointer` is a JSON pointer into the request (RFC 6901), the root the empty string; it
leads to a value, or names what is missing below an object that is there. `message` says what is expected, then what was found;
it never quotes the request, and positions in it count code points from 0; characters and names are in `params`: `limit`, `actual` and `unit`, `span` (bytes and UTF-16 units), `allowed`,
`suggestion`, `characters`, `indices`, …. `fix` is an edit of the text at the pointer (`replace`) or of the member's name
(`rename`). All problems come in one pass, in the order of the specification's tables, unknown members last by name.

\"Characters\" are code points. Decisions where the specification is silent:

- Family B states no limits for `from`: the rules of a sender are warnings there, and errors at `/sms/sender`.
- `messenger_c` is reached by an identifier of its own, every other channel by phone number: `msg.destination.not_phone`. With
  `sms` alone a destination with a letter is no number at all: `msg.destination.not_number`. In bulk each destination is checked.
- `buckets` and `channels` are arrays, or strings that hold one, the form on the wire (A8, A9): pointers lead into the string
  as into the array (`/buckets/0/max`), and a `fix` there is one of the array.
- A member that is `null` is absent. The last of several members with one name counts (`json.duplicate_member`).
- `60.0` is not an integer: it would be sent as written.
- A member of a wrong type is reported once, with a code of its own where it has one, and all else is checked as if it were right.
- One problem names all faulty elements (`indices`) for `failover.timeout.accounts` and `business_chat.suggestion.duplicate`;
  elsewhere each faulty element has its own.
- What stands several times in one text of `messenger_c` is one problem: how often (`actual`), and where first (`span`).
- A failover without `type` is read as `Timeout`, one without `status` as `Delivered`, the only ones shown.
- `failover.ttl_over_timeout` and `failover.messenger_c.never_delivered` ask for another channel behind the one named.
- A file name is taken from the last segment of the URL's path, percent-decoded.
- An extension that is no known kind of file says nothing: `.php` is no error for a document.
- A mode with the right word in the wrong case is parsed as that mode; a text whose mode is unknown is not parsed.
- A bot's username ends in `bot` in any case.
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

/// The case of each code that is called after it, or the first one: where it stood and what stood there.
fn seen() -> BTreeMap<String, Seen> {
    let mut seen = BTreeMap::new();
    let all = crate::cases::problems::all();
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
