//! `docs/problems.md`: the table of codes, with pointers and examples from the vectors.

use std::collections::BTreeMap;
use std::fmt::Write;

use cpaas::problem::{Code, codes};
use serde_json::Value;

use crate::root;

const HEAD: &str = "# Problems

The problems that validation reports, the same in every language. Generated from the table of codes in
`core/src/problem/codes.rs` and the vectors in `tests/vectors/problems`: change those, then run `./x generate`.

An **error** breaks a rule of the [specification](specification.md), and the client does not send the request. A **warning** is
allowed but probably not intended. An **info** is a hint. `pointer` is a JSON pointer into the request (RFC 6901); the
root is the empty string. `pointer` contains the names of the request as they are: whoever shows it on a terminal or in a log must
replace control characters, as the text of a problem (`Display`, `str`) does. It points to a value, or to a missing
member of an existing object. `message` says what is
expected, then what was found. It never quotes the request; its positions count code points from 0. `params` contains the values
of the message: `limit`, `actual` and `unit`, `span` (bytes and UTF-16 units), `allowed`, `suggestion`, `characters`, `indices`,
and others. `fix` edits the text at the pointer (`replace`) or renames the member (`rename`). Validation reports all problems at
once, in the order of the specification's tables; unknown members come last, in the order of their names.

In the tables, *Source* is a section of the specification (`spec D1`), an RFC or one of these:

- `inferred`: the samples of the specification imply the rule.
- `field`: common practice; the specification has no such rule. A limit can follow it (`field 1000`).
- `protocol`: the standards of SMS, of messages whose code fills itself in (WICG, SMS Retriever), and of the markup of messenger_c.
- `conventions`: conventions of this library.
- `campaign`: the rows of a [campaign](campaigns.md); no problem of a request.
- `response`: the response of the provider.

In examples, `{\"$text\": [[\"a\", 161]]}` is a text of 161 times `a`, and `{\"$list\": [x, 3]}` is the array `[x, x, x]`.

\"Characters\" are code points. Where the specification says nothing, validation decides as follows
([assumptions.md](assumptions.md) lists the decisions of the sandbox):

- The specification states no limits for `from` of the family `sms`: there, a violation of the rules for a sender is a warning. At `/sms/sender` it is an error.
- `messenger_c` has its own identifiers for recipients. For every other channel, a destination that is not a phone number is a
  warning: `msg.destination.not_phone`. If `sms` is the only channel, a destination that contains a letter is an error:
  `msg.destination.not_number`. In bulk, each destination is checked.
- `buckets` and `channels` are arrays, or strings that contain one, which is the form on the wire (A8, A9). Pointers have the
  same form for both (`/buckets/0/max`), and a `fix` edits the array.
- A member that is `null` counts as absent. If a member occurs twice, the last one counts (`json.duplicate_member`).
- `60.0` is not an integer, because it would be sent as written.
- A member of the wrong type has one problem, with the member's own code if there is one. All other members are checked as usual.
- One problem names all invalid elements (`indices`) for `failover.timeout.accounts` and `business_chat.suggestion.duplicate`.
  For other codes, each invalid element has its own problem. The numbers of `sms.send_bulk` are one text with commas; the pointer
  of a number is that of an element (`/to/0`), and its `fix` edits the text of the element.
- A problem that occurs several times in one text of `messenger_c` is reported once: `actual` is the number of occurrences,
  and `span` is the first one.
- A failover without `type` is read as `Timeout`, one without `status` as `Delivered`. These are the only documented values.
- `failover.ttl_over_timeout` and `failover.messenger_c.never_delivered` are reported only if another channel follows messenger_b or
  messenger_c.
- A file name is the last segment of the URL's path, percent-decoded.
- An unknown file extension is not a problem: `.php` is not an error for a document.
- A parse mode in the wrong case is parsed as that mode. A text whose mode is unknown is not parsed.
- The username of a bot ends in `bot`, in upper or lower case.
";

struct Sample {
    location: String,
    example: String,
}

/// The generated file.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let samples = samples();
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
            row(&mut text, code, samples.get(code.id));
        }
    }
    vec![("docs/problems.md".to_owned(), text)]
}

fn row(text: &mut String, code: &Code, sample: Option<&Sample>) {
    let severity = code.severity.as_str();
    let (location, example) = sample.map_or(("", ""), |sample| (&sample.location, &sample.example));
    let (id, source, rule) = (code.id, code.source, code.message.replace('|', "\\|"));
    let _ = writeln!(text, "| `{id}` | {severity} | {source} | {rule} | {location} | {example} |");
}

/// The cases of `tests/vectors/problems`, by file name.
pub(crate) fn cases() -> Vec<Value> {
    let folder = std::fs::read_dir(root().join("tests/vectors/problems"));
    let mut paths: Vec<_> = folder.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.push(root().join("tests/vectors/recipients.json"));
    let file = |path| -> Option<Value> { serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok() };
    let cases = |file: &Value| file.get("cases").unwrap_or(file).as_array().cloned();
    paths.iter().filter_map(file).filter_map(|file| cases(&file)).flatten().collect()
}

/// For each code, the pointer and the value of the case that is named after the code, or else of the first case with
/// it.
fn samples() -> BTreeMap<String, Sample> {
    let mut samples = BTreeMap::new();
    let all = cases();
    let is_called =
        |case: &Value, code: &str| case.get("id").and_then(Value::as_str) == Some(&format!("{code}/invalid"));
    for (case, own) in all.iter().map(|case| (case, true)).chain(all.iter().map(|case| (case, false))) {
        for problem in case.get("expect").and_then(Value::as_array).into_iter().flatten() {
            let member = |name| problem.get(name).and_then(Value::as_str).unwrap_or_default();
            if own && !is_called(case, member("code")) {
                continue;
            }
            samples.entry(member("code").to_owned()).or_insert_with(|| Sample {
                location: location(member("pointer"), case),
                example: example(case.get("request"), member("pointer")),
            });
        }
    }
    samples
}

fn location(pointer: &str, case: &Value) -> String {
    let is_index = |token: &str| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    let tokens: Vec<&str> =
        pointer.split('/').map(|token| if is_index(token) { "N" } else { token }).collect();
    let location =
        if pointer.is_empty() { "the request".to_owned() } else { format!("`{}`", tokens.join("/")) };
    match case.get("check").and_then(Value::as_str) {
        Some(check) => format!("{location} of `check_{check}`"),
        None => location,
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
