//! One method for each operation.

use cpaas::http::Family;
use cpaas::operation::{Meta, RetrySafety};
use cpaas::provider_codes::DOCUMENTED_OTP_CODES;
use cpaas::schema::Kind;

use super::arguments::{Argument, arguments};
use super::class_names::ClassNames;
use super::literals::{doc, entry, tuple, wrap};
use super::metadata::constant;
use crate::object_names::camel;
use crate::result_models::{item, items};

const COMMON: [(&str, &str, &str); 5] = [
    ("extra", "Mapping[str, Any]", "Undocumented members; sent as they are."),
    ("timeout", "float | timedelta", "Time limit of one attempt, in seconds or as a timedelta."),
    ("deadline", "float | timedelta", "Time limit of all attempts together, in seconds or as a timedelta."),
    (
        "validate",
        "Literal[\"strict\", \"pedantic\", \"warn\", \"off\"]",
        "How validation treats problems: 'strict' rejects a request with errors, 'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does not validate.",
    ),
    (
        "extra_headers",
        "Mapping[str, str]",
        "Headers added to the requests of this call. Credentials, and headers that the client itself sets, are rejected.",
    ),
];

pub(super) fn method(names: &ClassNames, meta: &'static Meta, asynchronous: bool) -> String {
    let name = meta.id.rsplit_once('.').map_or(meta.id, |(_, name)| name);
    let page = page_of(meta);
    let output = names.output_type(&meta.output, "cpaas.models.");
    let (def, output) = match (&page, asynchronous) {
        (Some(item), true) => {
            ("def", format!("AsyncPaginator[{output}, cpaas.models.{}]", names.of(item, true)))
        }
        (None, true) => ("async def", result_type(&output)),
        (_, false) => ("def", result_type(&output)),
    };
    let arguments = arguments(meta);
    let mut out = format!("\n    {def} {name}(\n        self,\n        *,\n");
    out += &signature(names, &arguments);
    out += &format!("    ) -> {output}:\n");
    out += &docstring(meta, &arguments, page.is_some(), asynchronous);
    out + &body(&constant(meta), &arguments, page.is_some(), asynchronous)
}

/// The type of a result. A list is a `Records`: a tuple that also has `raw`, `headers` and `warnings`, as every result. In a list
/// of ids, `None` stands for an unreadable id.
fn result_type(output: &str) -> String {
    match output.strip_prefix("tuple[").and_then(|rest| rest.strip_suffix(", ...]")) {
        Some("str") => "cpaas.models.Records[str | None]".to_owned(),
        Some(item) => format!("cpaas.models.Records[{item}]"),
        None => output.to_owned(),
    }
}

fn page_of(meta: &Meta) -> Option<&'static cpaas::schema::Schema> {
    let Kind::Object(schema) = meta.output else { return None };
    item(&items(schema)?)
}

fn body(index: &str, arguments: &[Argument], paged: bool, asynchronous: bool) -> String {
    let values = tuple(arguments.iter().map(|argument| argument.name().to_owned()));
    let members: Vec<_> =
        arguments.iter().map(|argument| format!("{:?}: {}", argument.wire(), argument.name())).collect();
    let request = format!("{{{}}}", members.join(", "));
    let call = format!("self._call({index}, {values}, extra, timeout, deadline, validate, extra_headers)");
    match (paged, asynchronous) {
        (false, false) => format!("        return {call}\n"),
        (false, true) => format!("        return await {call}\n"),
        (true, false) => {
            format!(
                "        return first_page(self._call, {index}, {request}, extra, timeout, deadline, validate, extra_headers)\n"
            )
        }
        (true, true) => {
            format!(
                "        return AsyncPaginator(self._call, {index}, {request}, extra, timeout, deadline, validate, extra_headers)\n"
            )
        }
    }
}

fn signature(names: &ClassNames, arguments: &[Argument]) -> String {
    let mut out = String::new();
    for argument in arguments {
        out += &match argument {
            Argument::Member { name, field, required } => {
                let kind = names.member_type(field, "cpaas.types.");
                match (required, kind.as_str()) {
                    (true, _) => format!("        {name}: {kind},\n"),
                    (false, "Any") => format!("        {name}: Any = None,\n"),
                    (false, _) => format!("        {name}: {kind} | None = None,\n"),
                }
            }
            Argument::Channels => "        channels: cpaas.types.Channels | None = None,\n".to_owned(),
        };
    }
    for (name, kind, _) in COMMON {
        out += &format!("        {name}: {kind} | None = None,\n");
    }
    out
}

fn docstring(meta: &Meta, arguments: &[Argument], paged: bool, asynchronous: bool) -> String {
    let summary = doc(meta.input.doc);
    let mut out = format!("        \"\"\"{summary}\n\n");
    if paged {
        let text = if asynchronous {
            "Await it for one page, or iterate with `async for` over the records of all pages."
        } else {
            "Returns one page. Iteration over it continues with the records of the following pages."
        };
        out += &format!("{}\n", wrap(text, "        "));
    }
    out += "        Args:\n";
    for argument in arguments {
        let text = match argument {
            Argument::Member { field, .. } => doc(field.doc),
            Argument::Channels => "The channel objects, in the order in which they are tried.".to_owned(),
        };
        out += &entry(argument.name(), &text, "            ");
    }
    for (name, _, text) in COMMON {
        out += &entry(name, text, "            ");
    }
    out += "\n        Raises:\n";
    for (class, text) in exceptions(meta, asynchronous) {
        out += &entry(class, &text, "            ");
    }
    out + &format!("\n        Section {} of the specification.\n        \"\"\"\n", meta.section)
}

/// The exceptions of an operation, one for each outcome except accepted, with the subclasses that the operation can raise.
fn exceptions(meta: &Meta, asynchronous: bool) -> Vec<(&'static str, String)> {
    // `_BY_OTP_CODE` of `_errors.py` holds for every operation of the family.
    let codes = DOCUMENTED_OTP_CODES
        .iter()
        .filter(|_| meta.family == Family::Otp)
        .map(|(name, _)| format!("`{}`", camel(&name.to_lowercase())));
    let rejected: Vec<String> = ["`Unauthorized`", "`Forbidden`", "`RateLimited`"]
        .map(str::to_owned)
        .into_iter()
        .chain(codes)
        .collect();
    let by_stores = if meta.safety == RetrySafety::Send && meta.recipients.is_some() {
        " Also if a store of the client (suppression, guard) refuses the recipient, or fails: a later call may then succeed."
    } else {
        ""
    };
    let after_failure = if meta.safety.is_repeatable() { "" } else { ": a second call may act twice" };
    let mut all = vec![
        (
            "cpaas.Invalid",
            format!(
                "The request, an argument or a setting is invalid; nothing was sent. `InvalidType` if only types are \
                 wrong.{by_stores}"
            ),
        ),
        (
            "cpaas.Rejected",
            format!(
                "The provider rejected the request. If the provider itself failed, `processed` is \"maybe\"{after_failure}. \
                 Subclasses: {}.",
                rejected.join(", ")
            ),
        ),
        (
            "cpaas.NotSent",
            "The request was not processed; a second call cannot act twice. `NotSentTimeout` after a time limit, `ClientClosed` after \
             the client was closed."
                .to_owned(),
        ),
        (
            "cpaas.OutcomeUnknown",
            format!("{} `OutcomeUnknownTimeout` after a time limit.", after_unknown_outcome(meta)),
        ),
    ];
    // A response to one of these confirms nothing until it is complete.
    if !matches!(meta.safety, RetrySafety::Read | RetrySafety::Lookup | RetrySafety::Verify) {
        all.push((
            "cpaas.AcceptedIdUnknown",
            "The request was accepted, but the rest of the response was lost, or it has no id: do not call again. \
             `AcceptedIdUnknownTimeout` after a time limit."
                .to_owned(),
        ));
    }
    if asynchronous {
        all.push(("RuntimeError", "No asyncio event loop runs.".to_owned()));
    }
    all
}

/// What is known after an unknown outcome.
const fn after_unknown_outcome(meta: &Meta) -> &'static str {
    match meta.safety {
        RetrySafety::Read => "No response arrived that proves the outcome; a second call changes nothing.",
        RetrySafety::Idempotent | RetrySafety::Cancel => {
            "The request may have been processed; a second call cannot act twice."
        }
        RetrySafety::Lookup => "The request may have been processed; a second call may be charged again.",
        RetrySafety::Create => "The request may have been processed: the record may exist.",
        RetrySafety::Append => "The request may have been processed: the record may have the new content.",
        RetrySafety::Verify => "The request may have been processed: the passcode may be used up.",
        _ if meta.recipients.is_some() => {
            "The request may have been processed; a second call may send a second message."
        }
        _ => "The request may have been processed; a second call may act twice.",
    }
}
