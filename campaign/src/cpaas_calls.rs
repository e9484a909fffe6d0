//! Operations, validation and sending with the crate `cpaas`.

use std::time::Duration;

use cpaas::client::CallOptions;
use cpaas::error::{Outcome, Processed, Reason};
use cpaas::problem::{Report, Severity};
use cpaas::schema::{Field, Format, Kind};
use cpaas::{Client, Error as CallError, OperationId, Problem, UnknownOperation};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::protocol::{Health, RowOutcome, Signal};
use crate::row_reason::RowReason;

/// How long all workers wait after a 429 response that requests no delay.
const BACKOFF: Duration = Duration::from_secs(1);

/// The operation with this name.
pub(crate) fn operation(name: &str) -> Result<OperationId> {
    name.parse().map_err(|unknown: UnknownOperation| {
        let advice = match unknown.suggestion {
            Some(meant) => format!("; did you mean `{meant}`?"),
            None => ", such as sms.send".to_owned(),
        };
        Error::Setting(format!("the operation must be a known one{advice}"))
    })
}

/// The id of an operation.
pub(crate) fn id(operation: OperationId) -> &'static str {
    operation.meta().id
}

/// The errors and warnings of a request, without those about a missing member that the client's configuration supplies.
pub(crate) fn validate(operation: OperationId, request: &str) -> Report {
    without_supplied(operation, operation.validate_json(request))
}

fn without_supplied(operation: OperationId, mut report: Report) -> Report {
    report.errors.retain(|problem| !is_supplied(operation, problem));
    report.ok = report.errors.is_empty();
    report
        .warnings
        .retain(|problem| problem.severity == Severity::Warning && !is_supplied(operation, problem));
    report
}

/// Whether the problem is a missing member that the client's configuration supplies.
fn is_supplied(operation: OperationId, problem: &Problem) -> bool {
    let field = problem.pointer.strip_prefix('/').and_then(|member| operation.meta().input.field(member));
    let is_missing = problem.code.ends_with(".required") || problem.code.ends_with(".missing");
    is_missing && field.is_some_and(|field| field.config.is_some())
}

/// The error record of a request that breaks the rules of this client, as JSON; `None` for a valid request.
pub(crate) fn invalid_for(client: &Client, operation: OperationId, request: &str) -> Option<String> {
    let report = operation.validate_json_with_defaults(request, client.context());
    error_record(operation, without_supplied(operation, report).errors)
}

/// The error record of a request that breaks rules, as JSON; `None` for a valid request.
pub(crate) fn invalid(operation: OperationId, request: &str) -> Option<String> {
    error_record(operation, validate(operation, request).errors)
}

fn error_record(operation: OperationId, problems: Vec<Problem>) -> Option<String> {
    (!problems.is_empty()).then(|| CallError::invalid(id(operation), problems).to_json())
}

/// The number of parts of one message, and the name of its encoding; `None` for a request without an SMS text.
pub(crate) fn parts(operation: OperationId, request: &Value) -> Option<(u32, &'static str)> {
    let text = request.pointer(operation.meta().sms_text?)?.as_str()?;
    let count = cpaas::text::count(text);
    Some((count.count, count.encoding.as_str()))
}

/// Whether the reference that delivery reports return identifies one message: requests of the operation have a `reference` and one
/// recipient.
pub(crate) fn has_reference(operation: OperationId) -> bool {
    let meta = operation.meta();
    let recipients = meta.recipients.and_then(|member| meta.input.field(member));
    let has_one = |field: &Field| matches!(field.kind, Kind::String) && field.format == Format::Plain;
    meta.has_reference && recipients.is_some_and(has_one)
}

/// The result of sending one row.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) outcome: RowOutcome,
    pub(crate) reason: Option<String>,
    pub(crate) message_id: Option<String>,
    /// The response or the error record, as JSON.
    pub(crate) detail: String,
    pub(crate) signal: Signal,
    /// What it shows about the provider.
    pub(crate) health: Health,
    /// How long all workers must wait.
    pub(crate) backoff: Duration,
    /// The error of the attempt whose result was read from the provider's records.
    pub(crate) reconciled: Option<Box<CallError>>,
}

impl Ended {
    /// The result of the attempt alone, with a sentence that states why the record is not its result.
    pub(crate) fn without_record(mut error: CallError, evidence: &str) -> Self {
        error.record_mut().evidence = Some(evidence.to_owned());
        refused(&error)
    }

    /// A row that was not sent, because the file of the worker can neither be written nor removed.
    pub(crate) fn not_marked() -> Self {
        Self {
            outcome: RowOutcome::NotSent,
            reason: Some(RowReason::NotMarked.as_str().to_owned()),
            message_id: None,
            detail: String::new(),
            signal: Signal::Neutral,
            health: Health::Neutral,
            backoff: BACKOFF,
            reconciled: None,
        }
    }
}

/// A client for rows. They are stored in the form that is sent, so the client's own setting `normalize` does not apply: its region
/// may read the digits of a number as another one.
pub(crate) fn for_rows(client: &Client) -> Client {
    client.with(CallOptions::new().keep_recipients())
}

/// Sends one row: at most one message, and no repetition after an unknown outcome. The first call has one attempt, so that after
/// a 429 all workers back off. If the first call proves that nothing was sent, a second call uses the client's own retries;
/// `on_failure` gets the reason before that.
pub(crate) async fn send(
    client: &Client,
    operation: OperationId,
    request: &str,
    deadline: Duration,
    on_failure: impl FnOnce(String),
) -> Ended {
    let options = CallOptions::new().retry_unknown(false).deadline(deadline);
    let first = client.with(options.clone().max_attempts(1)).call_json(operation, request).await;
    let result = match first {
        Err(error) if error.outcome == Outcome::NotSent && error.reason != Reason::Runtime => {
            on_failure(reason(&error, false));
            client.with(options).call_json(operation, request).await
        }
        result => result,
    };
    match result {
        Ok(response) => {
            let reconciled = response.reconciled.map(Box::new);
            Ended { reconciled, ..responded(operation, response.value) }
        }
        Err(error) => refused(&error),
    }
}

/// A row with a successful response, or with the response that a passcode is not valid.
fn responded(operation: OperationId, response: String) -> Ended {
    if operation.is_not_verified(&response) {
        let value: Value = serde_json::from_str(&response).unwrap_or_default();
        let code = value.get("code").and_then(Value::as_i64);
        let code = code.map_or_else(String::new, |code| format!(" {code}"));
        return Ended {
            outcome: RowOutcome::Rejected,
            reason: Some(format!("{}{code}", Reason::NotVerified)),
            message_id: None,
            detail: response,
            signal: Signal::Success,
            health: Health::Neutral,
            backoff: Duration::ZERO,
            reconciled: None,
        };
    }
    Ended {
        outcome: RowOutcome::Accepted,
        reason: None,
        message_id: operation.response_id(&response),
        detail: response,
        signal: Signal::Success,
        health: Health::Good,
        backoff: Duration::ZERO,
        reconciled: None,
    }
}

fn refused(error: &CallError) -> Ended {
    // The provider's own limit is the only rejection of these operations that may pass.
    let is_throttled = error.outcome == Outcome::Rejected && error.retryable();
    let has_failed = error.outcome == Outcome::Rejected && error.processed() == Processed::Maybe;
    let is_temporary = temporary_refusal(error).is_some();
    let outcome = match error.outcome {
        _ if is_throttled => RowOutcome::NotSent,
        _ if has_failed => RowOutcome::Unknown,
        Outcome::AcceptedIdUnknown => RowOutcome::Accepted,
        Outcome::Rejected => RowOutcome::Rejected,
        Outcome::Invalid if has_code(error, "suppressed") => RowOutcome::Suppressed,
        Outcome::Invalid if lacks_configuration(error) || is_temporary => RowOutcome::NotSent,
        Outcome::Invalid => RowOutcome::Invalid,
        Outcome::NotSent => RowOutcome::NotSent,
        Outcome::Unknown => RowOutcome::Unknown,
    };
    let asked = error.retry_after_ms.map(Duration::from_millis);
    Ended {
        outcome,
        reason: Some(if has_failed {
            RowReason::ProviderFailure.as_str().to_owned()
        } else {
            reason(error, is_throttled)
        }),
        message_id: None,
        detail: error.to_json(),
        signal: signal(error),
        health: health(error, outcome, is_throttled),
        backoff: if is_throttled || is_temporary {
            asked.unwrap_or(BACKOFF)
        } else {
            asked.unwrap_or_default()
        },
        reconciled: None,
    }
}

/// What an error shows about the provider. A row that is not sent because of its limit or of a missing setting shows nothing.
fn health(error: &CallError, outcome: RowOutcome, is_throttled: bool) -> Health {
    match outcome {
        RowOutcome::Accepted => Health::Good,
        RowOutcome::Unknown => Health::Bad,
        RowOutcome::NotSent if !is_throttled && error.outcome == Outcome::NotSent => Health::Bad,
        _ => Health::Neutral,
    }
}

/// Whether an error has a problem with this code.
fn has_code(error: &CallError, code: &str) -> bool {
    error.problems.iter().any(|problem| problem.code == code)
}

/// The code of a refusal by a store of the client that may pass: the guard counts within windows, and a store that failed may work
/// again.
fn temporary_refusal(error: &CallError) -> Option<&str> {
    let mut codes = error.problems.iter().map(|problem| &*problem.code);
    codes.find(|code| is_temporary_refusal(code))
}

/// The code of a suppression store that failed.
pub(crate) const SUPPRESSION_UNAVAILABLE: &str = "suppression.unavailable";

/// Whether the reason of a row is a refusal by a store of the client that may pass.
pub(crate) fn is_temporary_refusal(reason: &str) -> bool {
    reason.starts_with("guard.") || reason == SUPPRESSION_UNAVAILABLE
}

fn reason(error: &CallError, is_throttled: bool) -> String {
    if has_code(error, "suppressed") {
        return RowReason::Suppressed.as_str().to_owned();
    }
    if let Some(code) = temporary_refusal(error) {
        return code.to_owned();
    }
    if is_throttled {
        return RowReason::Throttled.as_str().to_owned();
    }
    let is_setup = error.outcome == Outcome::Rejected && signal(error) == Signal::SetupFailure;
    let name = if is_setup { RowReason::Setup.as_str() } else { error.reason.as_str() };
    match (error.status, error.code) {
        (Some(status), Some(code)) if is_setup && i64::from(status) != code => {
            format!("{name} {status} {code}")
        }
        (_, Some(code)) => format!("{name} {code}"),
        (Some(status), None) => format!("{name} {status}"),
        (None, None) => name.to_owned(),
    }
}

/// Whether the error is a missing key or another missing setting of the client. The row can be sent once the setting is added.
fn lacks_configuration(error: &CallError) -> bool {
    let lacks = |problem| OperationId::find(&error.operation).is_some_and(|id| is_supplied(id, problem));
    error.reason == Reason::Config || !error.problems.is_empty() && error.problems.iter().all(lacks)
}

/// Whether an error is caused by the setup instead of the row: statuses of wrong keys and addresses, unreadable responses, and
/// missing settings of the client.
fn signal(error: &CallError) -> Signal {
    match (error.outcome, error.status, error.reason) {
        (Outcome::AcceptedIdUnknown, ..) => Signal::Success,
        (_, Some(401 | 403 | 404 | 300..=399), _) => Signal::SetupFailure,
        (Outcome::Unknown, _, Reason::Decode | Reason::Mismatch | Reason::TooLarge) => Signal::SetupFailure,
        (Outcome::Invalid, ..) if lacks_configuration(error) => Signal::SetupFailure,
        _ => Signal::Neutral,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpaas::Config;
    use cpaas::error::SentState;
    use cpaas::http::HttpResponse;

    fn error(outcome: Outcome, reason: Reason, status: Option<u16>) -> CallError {
        let mut error = CallError::new(outcome, SentState::Maybe, reason, "sms.send", "");
        error.record_mut().status = status;
        error
    }

    #[test]
    fn a_429_counts_as_not_sent_and_sets_the_back_off() {
        let client = Client::new(&Config::default()).expect("a client without settings");
        let throttled = |headers| {
            let response = HttpResponse::new(429, headers, r#"{"responseCode":990,"responseText":"no"}"#);
            refused(&client.read_response(OperationId::SmsSend, response).expect_err("HTTP 429"))
        };
        assert_eq!(throttled(Vec::new()).backoff, BACKOFF);
        let ended = throttled(vec![("retry-after".to_owned(), "70".to_owned())]);
        assert_eq!((ended.outcome, ended.backoff), (RowOutcome::NotSent, Duration::from_secs(70)));
        assert_eq!(refused(&error(Outcome::Unknown, Reason::Http, Some(429))).outcome, RowOutcome::Unknown);
    }

    #[test]
    fn wrong_keys_and_unreadable_responses_are_failures_of_the_setup() {
        for status in [401, 403, 404, 302] {
            let ended = refused(&error(Outcome::Rejected, Reason::Http, Some(status)));
            assert_eq!(ended.signal, Signal::SetupFailure, "{status}");
        }
        assert_eq!(refused(&error(Outcome::Rejected, Reason::Http, Some(400))).signal, Signal::Neutral);
        assert_eq!(refused(&error(Outcome::Unknown, Reason::Decode, None)).signal, Signal::SetupFailure);
        let without_key = refused(&error(Outcome::Invalid, Reason::Config, None));
        assert_eq!((without_key.outcome, without_key.signal), (RowOutcome::NotSent, Signal::SetupFailure));
        assert_eq!(refused(&error(Outcome::Unknown, Reason::Timeout, None)).signal, Signal::Neutral);
    }

    #[test]
    fn a_row_may_omit_members_that_the_configuration_supplies() {
        let request = r#"{"destination":"306900000001","sms":{"sender":"Acme","text":"Hi"}}"#;
        assert_eq!(validate(OperationId::MessagesSend, request).errors, []);
        assert_eq!(invalid(OperationId::MessagesSend, request), None);
        let request = r#"{"sms":{"sender":"Acme","text":"Hi"}}"#;
        assert_eq!(validate(OperationId::MessagesSend, request).errors[0].pointer, "/destination");
        let problems =
            OperationId::MessagesSend.validate_json(r#"{"destination":"306900000001","sms":{"text":"Hi"}}"#);
        let missing = CallError::invalid("messages.send", problems.errors);
        let ended = refused(&missing);
        assert_eq!((ended.outcome, ended.signal), (RowOutcome::NotSent, Signal::SetupFailure));
    }

    #[test]
    fn a_row_with_an_invalid_passcode_is_rejected() {
        let ended = |code: i64| {
            let message = if code == 200 { "OK" } else { "m" };
            let response = serde_json::json!({"code": code, "message": message, "requestID": "OTP1"});
            responded(OperationId::OtpVerify, response.to_string())
        };
        let wrong = ended(400);
        assert_eq!(
            (wrong.outcome, wrong.reason.as_deref()),
            (RowOutcome::Rejected, Some("not_verified 400"))
        );
        assert_eq!((wrong.message_id, wrong.signal), (None, Signal::Success));
        let valid = ended(200);
        assert_eq!((valid.outcome, valid.reason), (RowOutcome::Accepted, None));
        assert_eq!(valid.message_id.as_deref(), Some("OTP1"));
    }

    #[test]
    fn a_row_whose_recipient_is_in_the_store_of_the_client_is_suppressed() {
        let refused_for = |code| {
            let problem = Problem::new(
                cpaas::problem::codes::find(code).expect("a code"),
                &cpaas::problem::Pointer::ROOT,
            );
            refused(&CallError::invalid("sms.send", vec![problem]))
        };
        let ended = refused_for("suppressed");
        assert_eq!((ended.outcome, ended.reason.as_deref()), (RowOutcome::Suppressed, Some("suppressed")));
        for code in ["suppression.unavailable", "guard.recipient", "guard.conversion", "guard.unavailable"] {
            let ended = refused_for(code);
            assert_eq!((ended.outcome, ended.reason.as_deref()), (RowOutcome::NotSent, Some(code)));
            // The row is claimed again: not in an endless loop without a pause.
            assert_eq!((ended.backoff, ended.health), (BACKOFF, Health::Neutral), "{code}");
        }
        assert_eq!(refused_for("sms.to.required").outcome, RowOutcome::Invalid);
    }

    #[tokio::test]
    async fn the_second_call_of_a_row_is_not_a_second_message_for_the_guard() {
        use cpaas::client::TransportError;
        use cpaas::guard::{Guard, GuardSettings};

        let config = Config::default().otp_url("https://otp.example").account_sid("AC1").api_key("key");
        let transport = |_| async { Err(TransportError::new(SentState::No, Reason::Connect)) };
        let mut settings = GuardSettings::default();
        settings.recipient_limits = vec![(1, Duration::from_secs(600))];
        let client = Client::with_transport(&config, transport).expect("a client");
        let client = client.guard(Guard::new(settings).expect("valid settings"));
        let request = r#"{"service":"login","from":"Acme","to":"306900000001","body":"{code}"}"#;
        for _ in 0..2 {
            let deadline = Duration::from_secs(5);
            let ended = send(&client, OperationId::OtpSend, request, deadline, |_| {}).await;
            assert_eq!((ended.outcome, ended.health), (RowOutcome::NotSent, Health::Bad), "{}", ended.detail);
        }
    }

    #[test]
    fn the_id_of_a_row_is_the_one_that_its_operation_declares() {
        let one = serde_json::json!({"code": 200, "data": {"sid": "LM1"}});
        for (operation, response, expected) in [
            (
                OperationId::SmsSend,
                serde_json::json!({"responseCode": 0, "id": "1", "messageId": "2"}),
                Some("1"),
            ),
            (OperationId::MessagesSend, serde_json::json!({"id": "1", "messageId": "2"}), Some("2")),
            (
                OperationId::OtpSend,
                serde_json::json!({"code": 200, "requestID": "OTP1", "id": "1"}),
                Some("OTP1"),
            ),
            (
                OperationId::MessagesSendBulk,
                serde_json::json!({"bulkId": "b", "id": "1", "messages": [{"messageId": "2"}]}),
                Some("b"),
            ),
            (
                OperationId::SmsSendBulk,
                serde_json::json!({"responseCode": 0, "messages": [{"id": "1"}, {"id": "2"}]}),
                None,
            ),
            (OperationId::MessagesSendFailover, serde_json::json!(["1", "2"]), None),
            (OperationId::MessagesSendFailover, serde_json::json!(["1", null]), Some("1")),
            (OperationId::OtpLimitsCreate, one, Some("LM1")),
            (OperationId::LookupNumbers, serde_json::json!([{"response": 0, "id": "1"}]), None),
        ] {
            let ended = responded(operation, response.to_string());
            assert_eq!(ended.message_id.as_deref(), expected, "{response}");
        }
    }
}
