//! The JSON of an error record, for writing and reading.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::effect::Facts;
use super::{Outcome, Processed, Reason, Record, SentState};
use crate::model::newtypes::RequestId;
use crate::problem::Problem;

/// The members, in their order.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Record")]
struct RecordJson {
    outcome: Outcome,
    sent: SentState,
    #[serde(getter = "reason")]
    reason: Cow<'static, str>,
    operation: Cow<'static, str>,
    message: String,
    #[serde(getter = "Record::processed")]
    processed: Processed,
    #[serde(getter = "Record::retryable")]
    retryable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_meaning: Option<Cow<'static, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<RequestId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
    attempts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    call_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
}

fn reason(record: &Record) -> Cow<'static, str> {
    match record.reason {
        Reason::Other => Cow::Owned(record.reason_name().to_owned()),
        known => Cow::Borrowed(known.as_str()),
    }
}

impl From<RecordJson> for Record {
    fn from(json: RecordJson) -> Self {
        let reason = Reason::from_name(&json.reason);
        Self {
            outcome: json.outcome,
            sent: json.sent,
            reason: reason.unwrap_or(Reason::Other),
            operation: json.operation,
            message: json.message,
            status: json.status,
            code: json.code,
            code_meaning: json.code_meaning,
            provider_message: json.provider_message,
            request_id: json.request_id,
            evidence: json.evidence,
            retry_after_ms: json.retry_after_ms,
            attempts: json.attempts,
            call_id: json.call_id,
            reference: json.reference,
            problems: json.problems,
            other_reason: if reason.is_none() { Some(json.reason.into()) } else { None },
            facts: Facts::Stored { processed: json.processed, retryable: json.retryable },
        }
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RecordJson::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let record = RecordJson::deserialize(deserializer)?;
        match record.facts {
            Facts::Stored { processed, retryable } if !record.is_possible(processed, retryable) => {
                Err(D::Error::custom(format_args!(
                    "`processed` and `retryable` must be those of a call with the outcome {}, got {} and {retryable}",
                    record.outcome.as_str(),
                    processed.as_str(),
                )))
            }
            _ => Ok(record),
        }
    }
}
