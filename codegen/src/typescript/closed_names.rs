//! `names.js` and `names.d.ts`: the closed sets of names, as arrays and as types.

use cpaas::bindings::REJECTION_REASONS;
use cpaas::error::{Outcome, Reason, SentState};
use cpaas::sms::ElementOutcome;

/// A set: the name of its type and of its array, its values and its documentation.
struct Names {
    name: &'static str,
    array: &'static str,
    values: Vec<&'static str>,
    doc: &'static str,
}

fn all() -> [Names; 5] {
    let names =
        |name, array, values: &[&'static str], doc| Names { name, array, values: values.to_vec(), doc };
    let reasons: Vec<_> = Reason::NAMES.iter().copied().chain([Reason::Other.as_str()]).collect();
    [
        names("Outcome", "OUTCOMES", Outcome::NAMES, "The outcome of a call that was not accepted."),
        names(
            "SentState",
            "SENT_STATES",
            SentState::NAMES,
            "Whether a request reached the provider, or took effect there.",
        ),
        names(
            "Reason",
            "REASONS",
            &reasons,
            "The cause of an error of a call. \"other\" stands for a reason that a newer version stored.",
        ),
        names(
            "ElementOutcome",
            "ELEMENT_OUTCOMES",
            ElementOutcome::VALUES,
            "The outcome of an element of a bulk call.",
        ),
        names(
            "RejectionReason",
            "REJECTION_REASONS",
            REJECTION_REASONS,
            "Why a callback is rejected, for the log only.",
        ),
    ]
}

pub(super) fn module() -> String {
    let sets = all().map(|Names { array, values, doc, .. }| {
        format!(
            "\n/** {doc} */\nexport const {array} = /* @__PURE__ */ Object.freeze([{}]);\n",
            quoted(&values, ", ")
        )
    });
    sets.concat().trim_start().to_owned()
}

pub(super) fn types() -> String {
    let sets = all().map(|Names { name, array, values, doc }| {
        format!(
            "\n/** {doc} */\nexport type {name} = {};\nexport declare const {array}: readonly {name}[];\n",
            quoted(&values, " | ")
        )
    });
    sets.concat().trim_start().to_owned()
}

fn quoted(values: &[&str], separator: &str) -> String {
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(separator)
}
