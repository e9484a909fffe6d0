//! Sends one message for each key, however many callers use the key.

mod held_key;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cpaas::client::CallOptions;
use cpaas::printable::{MAX_MESSAGE, printable};
use cpaas::{Client, OperationId};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::campaign::retry;
use crate::chunk::ChunkRow;
use crate::cpaas_calls::{self, Ended};
use crate::error::{Error, Result};
use crate::hexadecimal::hex;
use crate::journal::{CampaignRecord, ChunkView, Journal, ONCE_PREFIX, Provider, RetryReason};
use crate::protocol::{CreationDecision, RowOutcome, RowState};
use crate::recipients::Recipients;
use held_key::HeldKey;

/// The first and the longest interval at which a waiting caller reads the journal.
const POLL_INTERVALS: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(200));

/// The shortest deadline.
const SHORTEST: Duration = Duration::from_secs(1);

/// The time of a call whose deadline passed while the key became free: the client accepts no deadline of zero.
const NO_TIME: Duration = Duration::from_millis(1);

/// Why the only record that was found is not the result.
const OF_ANOTHER: &str =
    "the only passcode to this recipient in the provider's records is or may be that of another message";
const NOT_COMPARED: &str = "the provider's records contain a passcode to this recipient, which was not compared with the other \
    messages, because the journal did not respond or failed";

/// The outcome of a message with a key. All callers with the key get the same outcome, except those that reached their deadline.
///
/// `Ok` of [`send_once`] is not `accepted`: read the outcome, or call [`accepted`](Self::accepted). A result that nobody reads is a warning of
/// the compiler:
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// # use std::sync::{Arc, Mutex};
/// # use std::time::Duration;
/// use cpaas_campaign::{Error, journal::Journal, send_once};
///
/// async fn remind(journal: Arc<Mutex<Journal>>, client: &cpaas::Client, request: &str) -> Result<(), Error> {
///     send_once(journal, client, "reminder-7", "sms.send", request, Duration::from_secs(30)).await?;
///     Ok(())
/// }
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
#[must_use = "the message may not have been accepted: read the outcome, or call `accepted`"]
pub struct SendOnceResult {
    /// The outcome.
    pub outcome: RowOutcome,
    /// The response, or the error record, as JSON; the response also for an `otp.verify` that was rejected because the passcode is
    /// not valid. `None` if the owner ended before it stored one, if it was still sending at
    /// the deadline, and after a purge.
    pub detail: Option<String>,
}

impl SendOnceResult {
    const UNKNOWN: Self = Self { outcome: RowOutcome::Unknown, detail: None };

    fn of(ended: &Ended) -> Self {
        Self { outcome: ended.outcome, detail: Some(ended.detail.clone()) }
    }

    /// The response as JSON; `None` if it is not stored.
    ///
    /// # Errors
    /// When the outcome is not [`RowOutcome::Accepted`].
    pub fn accepted(self) -> Result<Option<String>, NotAccepted> {
        match self.outcome {
            RowOutcome::Accepted => Ok(self.detail),
            _ => Err(NotAccepted(self)),
        }
    }
}

/// The error of a message with a key that was not accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct NotAccepted(pub SendOnceResult);

impl std::fmt::Display for NotAccepted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(SendOnceResult { outcome, detail }) = self;
        write!(f, "the message was not accepted, its outcome is `{}`", outcome.as_str())?;
        // A response to `otp.verify` has no message.
        let record = detail.as_deref().and_then(|detail| serde_json::from_str::<Value>(detail).ok());
        let message = record.as_ref().and_then(|record| record.get("message")).and_then(Value::as_str);
        message.map_or(Ok(()), |message| write!(f, ": {}", printable(message, MAX_MESSAGE)))
    }
}

impl std::error::Error for NotAccepted {}

impl std::fmt::Debug for SendOnceResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SendOnceResult").field("outcome", &self.outcome).finish_non_exhaustive()
    }
}

/// How a message with a key is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SendOnceOptions {
    /// Time limit, with all waits for the journal and for other callers; at least one second.
    pub deadline: Duration,
    /// If the stored outcome has this reason, the message is sent again, by the rules of [`retry`](crate::campaign::retry).
    pub retry: Option<RetryReason>,
    /// Whether the key may have been used with another provider, whose outcome is returned then.
    pub any_provider: bool,
}

impl From<Duration> for SendOnceOptions {
    /// The options with this deadline.
    fn from(deadline: Duration) -> Self {
        Self { deadline, retry: None, any_provider: false }
    }
}

impl SendOnceOptions {
    /// Sends the message again if the stored outcome has this reason.
    #[must_use]
    pub fn retry(mut self, reason: RetryReason) -> Self {
        self.retry = Some(reason);
        self
    }

    /// Accepts a key that was used with another provider.
    #[must_use]
    pub const fn any_provider(mut self) -> Self {
        self.any_provider = true;
        self
    }
}

/// Sends a request. If a request with this key was already sent, sends nothing and returns the outcome of that request.
/// Callers with the same key wait for the one that sends. If it is proven that the message was not sent, another caller sends it.
///
/// A request that breaks a rule, or a rule of the client's settings, returns [`RowOutcome::Invalid`] and uses no key. If a store of the
/// client refuses it ([`cpaas::suppression`], [`cpaas::guard`]), the caller gets [`RowOutcome::Suppressed`] or
/// [`RowOutcome::NotSent`], and the key is settled as not sent: the next caller may send. If a caller is dropped (a cancelled task), its key is settled:
/// as not sent if no byte of the request was sent, so that the next caller may send; otherwise as unknown.
///
/// If the response to an `otp.send` is lost, the provider's records are searched: the only passcode that was sent since the call began
/// with the same service, sender and recipient is the result, unless another message of the journal or of the client has its id, or
/// another key without a known outcome may have sent it in the last hour.
/// A record has neither text nor reference, so it may be that of a call that this journal does not know; its code is valid for the
/// recipient all the same. If there are two such records or none, or the records cannot be read, the outcome stays
/// [`RowOutcome::Unknown`].
///
/// If the journal does not respond until the deadline (a lock that another process holds, a server whose disk is full), the outcome is
/// [`RowOutcome::Unknown`], and the next caller with the key may send if nothing was sent.
///
/// So `Ok` means that there is an outcome, not that the message was sent:
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use std::time::Duration;
///
/// use cpaas_campaign::journal::OpenOptions;
/// use cpaas_campaign::{campaign, send_once};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let url = folder.path().join("once.db").display().to_string();
/// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
/// # let client = cpaas::Client::new(&sandbox.config())?;
/// let journal = campaign::open_journal(&url, OpenOptions::default()).await?; // url = "once.db"
/// let journal = Arc::new(Mutex::new(journal)); // one for all keys of the process
/// let request = r#"{"from": "Acme", "to": "306912345678", "text": "Your table is booked"}"#;
/// let sent = send_once(journal.clone(), &client, "reminder-7", "sms.send", request, Duration::from_secs(30)).await?;
/// println!("{:?}", sent.accepted()?); // an error if it was not accepted
///
/// let request = r#"{"from": "Acme", "to": "unknown", "text": "Your table is booked"}"#;
/// let sent = send_once(journal, &client, "reminder-8", "sms.send", request, Duration::from_secs(30)).await?;
/// assert!(sent.accepted().unwrap_err().to_string().contains("its outcome is `invalid`: nothing was sent"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::Setting`] when the key is empty, [`Error::KeyReused`] when the key was used for another request, [`Error::OtherProvider`] when it was used with a client that has
/// none of the addresses of this one, or when the journal fails before the message was sent.
pub async fn send_once(
    journal: Arc<Mutex<Journal>>,
    client: &Client,
    key: &str,
    operation: &str,
    request: &str,
    options: impl Into<SendOnceOptions>,
) -> Result<SendOnceResult> {
    if key.is_empty() {
        return Err(Error::Setting("the key of `send_once` must not be empty".to_owned()));
    }
    let operation = cpaas_calls::operation(operation)?;
    if let Some(detail) = cpaas_calls::invalid_for(client, operation, request) {
        return Ok(SendOnceResult { outcome: RowOutcome::Invalid, detail: Some(detail) });
    }
    let SendOnceOptions { deadline, retry, any_provider } = options.into();
    let (began, deadline) = (Instant::now(), deadline.max(SHORTEST));
    let mut caller =
        Caller { journal, client, operation, deadline, retry, any_provider, began, campaign: None };
    caller.run(key, request).await
}

struct Caller<'a> {
    journal: Arc<Mutex<Journal>>,
    client: &'a Client,
    operation: OperationId,
    /// For everything since `began`.
    deadline: Duration,
    /// `None` after it was applied.
    retry: Option<RetryReason>,
    any_provider: bool,
    began: Instant,
    campaign: Option<CampaignRecord>,
}

/// The end of the wait for a key.
enum Acquired {
    Held(HeldKey),
    Ended(SendOnceResult),
}

/// What the journal knows of a key.
enum Known {
    Ended(SendOnceResult),
    /// Another caller may still be sending.
    Busy,
    Free(Box<ChunkView>),
}

impl Caller<'_> {
    async fn run(&mut self, key: &str, request: &str) -> Result<SendOnceResult> {
        // A journal that does not respond must not outlast the deadline. A key that is claimed later is settled as not sent.
        match tokio::time::timeout(self.left(), self.acquire(key, request)).await {
            Ok(Ok(Acquired::Held(held))) => self.send(held, request).await,
            Ok(Ok(Acquired::Ended(once))) => Ok(once),
            Ok(Err(error)) => Err(error),
            Err(_) => Ok(SendOnceResult::UNKNOWN),
        }
    }

    /// The time until the deadline.
    fn left(&self) -> Duration {
        self.deadline.saturating_sub(self.began.elapsed())
    }

    /// Waits until this caller may send, or the message has an outcome.
    async fn acquire(&mut self, key: &str, request: &str) -> Result<Acquired> {
        let campaign = self.open(key, request).await?;
        let (id, name) = (campaign.id.clone(), campaign.name.clone());
        self.campaign = Some(campaign);
        let mut look = POLL_INTERVALS.0;
        loop {
            match self.look(&id).await? {
                Known::Ended(once) => {
                    if !self.make_eligible(&name).await? {
                        return Ok(Acquired::Ended(once));
                    }
                    continue;
                }
                Known::Free(view) => {
                    if let Some(held) = self.claim(&id, *view).await? {
                        return Ok(Acquired::Held(held));
                    }
                }
                Known::Busy => {}
            }
            if self.left().is_zero() {
                return Ok(Acquired::Ended(SendOnceResult::UNKNOWN));
            }
            tokio::time::sleep(look).await;
            look = (look * 2).min(POLL_INTERVALS.1);
        }
    }

    /// Makes the message eligible again if its outcome has the reason of the retry. Acts at most once for each call.
    async fn make_eligible(&mut self, name: &str) -> Result<bool> {
        let Some(reason) = self.retry.take() else { return Ok(false) };
        let name = name.to_owned();
        self.blocking(move |journal| Ok(retry(journal, &name, &reason, Duration::ZERO)? > 0)).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Journal) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let journal = self.journal.clone();
        let task = move || work(&mut journal.lock().unwrap_or_else(PoisonError::into_inner));
        tokio::task::spawn_blocking(task).await.map_err(|_| Error::Task)?
    }

    async fn open(&self, key: &str, request: &str) -> Result<CampaignRecord> {
        let value: Value = serde_json::from_str(request).unwrap_or_default();
        let name = format!("{ONCE_PREFIX}{}", hex(&Sha256::digest(key)));
        let operation = cpaas_calls::id(self.operation);
        let digest = hex(&Sha256::digest(format!("{operation}\n{}", sorted(value.clone()))));
        let has_reference = cpaas_calls::has_reference(self.operation) && value.get("reference").is_none();
        let recipients = Recipients::new(self.operation, |name| value.get(name).is_some(), None);
        let row = ChunkRow {
            base: CreationDecision::Ready,
            recipients: recipients.of(self.operation, &value),
            parts: 0,
            price: 0,
            time_zone: None,
            line: None,
            problem: None,
            request: RawValue::from_string(request.to_owned()).ok(),
        };
        let provider = Provider::new(self.client, self.operation, self.any_provider);
        let open = move |journal: &mut Journal| {
            journal.open_key(&name, operation, &digest, has_reference, &row, &provider)
        };
        self.blocking(open).await
    }

    async fn look(&self, id: &str) -> Result<Known> {
        let id = id.to_owned();
        self.blocking(move |journal| {
            let (mut history, mut version) = journal.history(&id, 0)?;
            if let RowState::Open { owner } = history.state(0)
                && journal.is_gone(&id, owner)?
            {
                // The owner may have settled the row just before it ended.
                (history, version) = journal.history(&id, 0)?;
                if matches!(history.state(0), RowState::Open { .. }) {
                    return Ok(Known::Ended(SendOnceResult::UNKNOWN));
                }
            }
            Ok(match history.state(0) {
                RowState::Settled(outcome) => {
                    let stored = journal.stored(&id, 0)?.remove(&0);
                    let detail = stored.unwrap_or_default().detail;
                    Known::Ended(SendOnceResult { outcome, detail })
                }
                RowState::Open { .. } | RowState::Fixed(_) => Known::Busy,
                RowState::Ready | RowState::NotSent => {
                    Known::Free(Box::new(ChunkView::of_ready_rows(0, 1, history, version)))
                }
            })
        })
        .await
    }

    async fn claim(&self, id: &str, view: ChunkView) -> Result<Option<HeldKey>> {
        let (journal, id) = (self.journal.clone(), id.to_owned());
        let task = tokio::task::spawn_blocking(move || HeldKey::claim(journal, &id, view));
        task.await.map_err(|_| Error::Task)?
    }

    async fn send(&self, mut held: HeldKey, request: &str) -> Result<SendOnceResult> {
        // The key is settled as not sent.
        if held.is_stale() {
            return Ok(SendOnceResult::UNKNOWN);
        }
        let has_reference = self.campaign.as_ref().is_some_and(|campaign| campaign.settings.has_reference);
        let request = match request.trim_start().strip_prefix('{').filter(|_| has_reference) {
            Some(rest) => format!("{{\"reference\":\"{}\",{rest}", held.reference()),
            None => request.to_owned(),
        };
        let mut client = held.observe(self.client);
        if self.operation == OperationId::OtpSend {
            client = client.with(CallOptions::new().find_passcodes());
        }
        let left = self.left().max(NO_TIME);
        let mut ended = cpaas_calls::send(&client, self.operation, &request, left, |_| {}).await;
        let once = SendOnceResult::of(&ended);
        let lost = ended.reconciled.take().map(|error| *error);
        // The client refused before it sent, by its settings or stores, which may change.
        if matches!(ended.outcome, RowOutcome::Suppressed | RowOutcome::Invalid) {
            ended.outcome = RowOutcome::NotSent;
        }
        let of_another = lost.clone().map(|error| Ended::without_record(error, OF_ANOTHER));
        held.end(ended, of_another);
        // `settle` logs a failure to store the outcome. The caller gets the outcome instead of this failure.
        let settled = tokio::task::spawn_blocking(move || held.settle());
        let settled = tokio::time::timeout(self.left(), settled).await;
        let Some(lost) = lost else { return Ok(once) };
        Ok(match settled {
            Ok(Ok(Some(true))) => once,
            Ok(Ok(Some(false))) => SendOnceResult::of(&Ended::without_record(lost, OF_ANOTHER)),
            _ => SendOnceResult::of(&Ended::without_record(lost, NOT_COMPARED)),
        })
    }
}

/// The same JSON with the members of objects in order.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> =
                members.into_iter().map(|(name, value)| (name, sorted(value))).collect();
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        value => value,
    }
}
