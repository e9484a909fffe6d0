//! `_generated/names.py`: the closed sets of names as `Literal` types.

use cpaas::bindings::{MARKUP_ERROR_KINDS, REJECTION_REASONS, TextError};
use cpaas::error::{Outcome, Reason, SentState};
use cpaas::problem::Severity;
use cpaas::sms::ElementOutcome;
use cpaas_campaign::campaign::{ExportRow, Status};
use cpaas_campaign::journal::StopReason;
use cpaas_campaign::protocol;
use cpaas_campaign::{Error, RowReason};

use super::literals::wrap;

/// The reasons that only the Python package has: of a closed client, and of a row of an interrupted `send_many`.
const PYTHON_REASONS: [&str; 2] = ["closed", "interrupted"];
/// The reason of the exception of a run whose campaign halted.
const HALTED: &str = "halted";

/// A type: its name, its values and its documentation.
struct Names {
    name: &'static str,
    values: Vec<&'static str>,
    doc: &'static str,
}

fn all() -> Vec<Names> {
    let names = |name, values: &[&'static str], doc| Names { name, values: values.to_vec(), doc };
    let reasons: Vec<_> =
        Reason::NAMES.iter().copied().chain(PYTHON_REASONS).chain([Reason::Other.as_str()]).collect();
    let campaign_reasons: Vec<_> = Error::CODES.iter().copied().chain([HALTED]).collect();
    vec![
        names("Outcome", Outcome::NAMES, "The outcome of a call that was not accepted."),
        names("SentState", SentState::NAMES, "Whether a request reached the provider, or took effect there."),
        names(
            "Reason",
            &reasons,
            "The cause of an error of a call. \"other\" stands for a reason that a newer version stored; `reason_name` is its name.",
        ),
        names("Severity", Severity::NAMES, "The severity of a problem."),
        names("CampaignReason", &campaign_reasons, "The cause of a `CampaignError`."),
        names("CampaignState", Status::STATES, "The state of a campaign."),
        names("StopReason", StopReason::NAMES, "Why a campaign halted, or was cancelled by a restore."),
        names("RowOutcome", ExportRow::OUTCOMES, "The outcome of a row of a campaign."),
        names("TestOutcome", protocol::RowOutcome::NAMES, "The outcome of a message of `Campaign.test`."),
        names(
            "RowReason",
            RowReason::NAMES,
            "The first word of the `reason` of a row, if it is neither a `Reason` nor the code of a problem. A status or a code of the \
             provider, or the position of a recipient, may follow it.",
        ),
        names("ElementOutcome", ElementOutcome::VALUES, "The outcome of an element of a bulk call."),
        names("RejectionReason", REJECTION_REASONS, "Why a callback is rejected, for the log only."),
        names("TextErrorCode", &TextError::codes(), "The code of a `TextError`."),
        names("MarkupErrorKind", MARKUP_ERROR_KINDS, "The kind of a `MarkupError`."),
    ]
}

/// The names of the types, for the module `types`.
pub(super) fn exported() -> Vec<&'static str> {
    let mut names: Vec<_> = all().into_iter().map(|names| names.name).collect();
    names.sort_unstable();
    names
}

pub(super) fn module() -> String {
    let mut out = concat!(
        "\"\"\"The closed sets of names.\"\"\"\n\n",
        "from __future__ import annotations\n\n",
        "from typing import Literal, TypeAlias\n",
    )
    .to_owned();
    for Names { name, values, doc } in all() {
        let values: String = values.iter().map(|value| format!("    {value:?},\n")).collect();
        let doc = wrap(doc, "");
        out += &format!("\n{name}: TypeAlias = Literal[\n{values}]\n\"\"\"{}\"\"\"\n", doc.trim());
    }
    out
}
