//! Sends rows of a campaign to the user's own numbers, outside of the campaign.

use std::time::Duration;

use cpaas::text::msisdn::{self, Assignment};
use cpaas::{Client, OperationId};
use serde::Serialize;
use serde_json::Value;

use super::{no_row, status};
use crate::chunk::ChunkRow;
use crate::cpaas_calls;
use crate::error::{Error, Result};
use crate::journal::{CHUNK_ROWS, Journal};
use crate::protocol::{CreationDecision, RowOutcome};
use crate::recipients::{self, Recipients};

/// The time limit of one message.
const DEADLINE: Duration = Duration::from_secs(30);

/// The rows that a test sends.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TestRows {
    /// The rows with these numbers, from 1.
    Numbers(Vec<u64>),
    /// The first rows that can be sent: as many as this number.
    First(u64),
}

/// A message that is sent as a test. `Debug` does not show recipient and request.
#[derive(Clone, Serialize)]
#[non_exhaustive]
pub struct TestMessage {
    /// The row whose request is sent, from 1.
    pub row: u64,
    /// The recipient that replaces those of the row.
    pub to: String,
    /// The request as it is sent.
    pub request: Value,
    /// `accepted`, `rejected`, `not_sent` or `unknown`; `None` before it was sent.
    pub outcome: Option<&'static str>,
    /// The reason of an outcome other than `accepted`.
    pub reason: Option<String>,
    /// The cause of an outcome other than `accepted` and what to do, in words. It contains no number, text, code or key.
    pub message: Option<String>,
    /// The provider's id of the message.
    pub message_id: Option<String>,
    #[serde(skip)]
    operation: OperationId,
}

impl std::fmt::Debug for TestMessage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TestMessage")
            .field("row", &self.row)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}

impl TestMessage {
    /// The messages that send these rows to each of the recipients, for [`TestMessage::send`]. Nothing is sent.
    ///
    /// # Errors
    /// When a row does not exist or has no request, a recipient is not valid, the operation has no recipients, the journal is not the
    /// one that was written last ([`Error::Copied`]), or the journal fails.
    pub fn prepare(journal: &mut Journal, name: &str, rows: &TestRows, to: &[String]) -> Result<Vec<Self>> {
        // Its rows are real messages, and a copy may lack changes.
        journal.refuse_copy()?;
        let campaign = journal.campaign(name)?;
        let operation = cpaas_calls::operation(&campaign.operation)?;
        let Some(member) = operation.meta().recipients else {
            let message = "a test requires an operation with recipients; use the sandbox for this one";
            return Err(Error::Setting(message.to_owned()));
        };
        if to.is_empty() {
            return Err(Error::Setting("a test requires a recipient, such as your own number".to_owned()));
        }
        let known = Recipients::stored(campaign.settings.has_numbers, campaign.settings.normalize.as_deref());
        let to = own_numbers(&known, to)?;
        let mut messages = Vec::new();
        for (number, row) in chosen(journal, name, &campaign.id, rows)? {
            let request = row.request.as_ref().and_then(|request| serde_json::from_str(request.get()).ok());
            let request: Value = request.ok_or_else(|| invalid_row(number, row.problem.as_deref()))?;
            for to in &to {
                messages.push(Self::of(operation, member, number, &request, to)?);
            }
        }
        Ok(messages)
    }

    fn of(operation: OperationId, member: &str, row: u64, request: &Value, to: &str) -> Result<Self> {
        let mut request = request.clone();
        if let Some(recipients) = request.get_mut(member) {
            *recipients = match recipients {
                Value::Array(_) => Value::Array(vec![to.into()]),
                _ => to.into(),
            };
        }
        if cpaas_calls::invalid(operation, &request.to_string()).is_some()
            || recipients::texts(operation, &request) != [to]
        {
            return Err(invalid_recipient(""));
        }
        let to = to.to_owned();
        Ok(Self { row, to, request, outcome: None, reason: None, message: None, message_id: None, operation })
    }

    /// Sends the message, which is real. It is outside of the campaign: nothing is stored, no row changes, and it has no reference, so
    /// no delivery report can settle a row. State, window, rate, suppression and spend of the campaign do not apply.
    pub async fn send(&mut self, client: &Client) {
        let request = self.request.to_string();
        let client = cpaas_calls::for_rows(client);
        let ended = cpaas_calls::send(&client, self.operation, &request, DEADLINE, |_| {}).await;
        self.outcome = Some(ended.outcome.as_str());
        if ended.outcome != RowOutcome::Accepted {
            let error: Value = serde_json::from_str(&ended.detail).unwrap_or_default();
            self.message = error.get("message").and_then(Value::as_str).map(str::to_owned);
            self.reason = ended.reason;
        }
        self.message_id = ended.message_id;
    }
}

/// The recipients of a test in the form that is sent, each once.
fn own_numbers(known: &Recipients, to: &[String]) -> Result<Vec<String>> {
    let mut own = Vec::new();
    for text in to {
        let form = known.form(text).map_err(|reason| invalid_recipient(&format!(": it {reason}")))?;
        if known.is_number(text) && !is_assigned(text, &form) {
            return Err(invalid_recipient(
                ", got one that is not assigned; write it with + and its country code",
            ));
        }
        if !own.iter().any(|known| *known == form) {
            own.push(form.into_owned());
        }
    }
    Ok(own)
}

/// Whether a country has the number. Without a prefix, it may be a national number, so it must be assigned.
fn is_assigned(text: &str, form: &str) -> bool {
    match msisdn::assignment(form) {
        Assignment::Impossible => false,
        Assignment::Possible => msisdn::has_international_prefix(text),
        _ => true,
    }
}

fn invalid_recipient(found: &str) -> Error {
    Error::Setting(format!("the recipient of a test must be one valid number with its country code{found}"))
}

fn invalid_row(row: u64, problem: Option<&str>) -> Error {
    Error::Setting(format!(
        "row {row} is invalid ({}), so it has no request to send",
        problem.unwrap_or_default()
    ))
}

/// The chosen rows and their numbers from 1.
fn chosen(journal: &mut Journal, name: &str, id: &str, rows: &TestRows) -> Result<Vec<(u64, ChunkRow)>> {
    let chunks = journal.chunk_count(id)?;
    let mut found = Vec::new();
    match rows {
        TestRows::Numbers(numbers) => {
            for number in numbers {
                let located = number.checked_sub(1).and_then(crate::journal::locate);
                let row = match located.filter(|(chunk, _)| *chunk < chunks) {
                    Some((chunk, index)) => journal.rows(id, chunk)?.into_iter().nth(usize::from(index)),
                    None => None,
                };
                match row {
                    Some(row) => found.push((*number, row)),
                    None => return Err(no_row(*number, status(journal, name)?.rows)),
                }
            }
        }
        TestRows::First(count) => {
            for chunk in 0..chunks {
                let first = u64::from(chunk) * CHUNK_ROWS as u64 + 1;
                let ready = (first..).zip(journal.rows(id, chunk)?);
                let ready = ready.filter(|(_, row)| row.base == CreationDecision::Ready);
                let left = count.saturating_sub(found.len() as u64);
                found.extend(ready.take(usize::try_from(left).unwrap_or(usize::MAX)));
            }
            if found.is_empty() {
                return Err(Error::Setting("the campaign has no row that can be sent".to_owned()));
            }
        }
    }
    Ok(found)
}
