//! The stores that a client consults before the first attempt of a call: suppressed numbers, and the guard against pumping.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};

use super::stopwatch::Stopwatch;
use crate::clock::{BoxFuture, Clock};
use crate::error::{Error, Processed, Source};
use crate::guard::{Guard, GuardRequest};
use crate::operation::{Family, Meta, Operation};
use crate::otp::{SendPasscode, VerifyPasscode};
use crate::prepared::Prepared;
use crate::problem::{Code, Pointer, Problem, codes};
use crate::rules::formats::normal;
use crate::sms::SendSms;
use crate::suppression::{StoreError, SuppressionStore};

/// The time limit of a store before the first attempt.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

/// The time limit of a store that receives the result of a call.
const REPORT_TIMEOUT: Duration = Duration::from_secs(1);

/// The stores of a client.
#[derive(Clone, Default)]
pub(crate) struct SendChecks {
    pub(crate) suppression: Option<Arc<dyn SuppressionStore>>,
    pub(crate) guard: Option<Arc<Guard>>,
}

/// What the guard must know after a call.
pub(crate) enum Followup {
    Nothing,
    /// The guard counted this message.
    Counted(GuardRequest),
    /// The passcode with this id was entered.
    Converted(String),
}

/// The call that waits for its stores, and the time that it may wait.
pub(crate) struct Waits<'a> {
    call_id: String,
    operation: &'static str,
    clock: &'a dyn Clock,
    stopwatch: Stopwatch,
    deadline: Duration,
}

impl<'a> Waits<'a> {
    pub(crate) fn start(
        call_id: String,
        operation: &'static str,
        clock: &'a dyn Clock,
        deadline: Duration,
    ) -> Self {
        Self { call_id, operation, clock, stopwatch: Stopwatch::start(clock), deadline }
    }

    fn left(&mut self) -> Duration {
        self.deadline.saturating_sub(self.stopwatch.elapsed(self.clock))
    }

    /// Waits for the guard's store, whose failure does not change the result of the call.
    async fn report(mut self, answer: BoxFuture<'_, Result<(), StoreError>>) {
        let limit = self.left().min(REPORT_TIMEOUT);
        let _: Result<(), StoreFailure> = self.within(GUARD, limit, answer).await;
    }

    /// The result of a store. A clock that cannot wait sets no limit. The text of its error may contain a number or a password, so it is
    /// not logged.
    async fn within<T>(
        &self,
        store: &'static str,
        limit: Duration,
        answer: BoxFuture<'_, Result<T, StoreError>>,
    ) -> Result<T, StoreFailure> {
        let (call_id, operation) = (self.call_id.as_str(), self.operation);
        let result = match self.clock.sleep(limit) {
            None => answer.await,
            Some(end) => match select(pin!(answer), end).await {
                Either::Left((result, _)) => result,
                Either::Right(_) => {
                    tracing::warn!(call_id, operation, store, "a store did not answer in time");
                    return Err(StoreFailure::Timeout(limit));
                }
            },
        };
        result.map_err(|error| {
            tracing::warn!(call_id, operation, store, "a store failed");
            StoreFailure::Failed(error.into())
        })
    }
}

/// The names of the stores in log lines.
const SUPPRESSION: &str = "suppression";
const GUARD: &str = "guard";

/// A call whose recipients were checked, until the guard knows its result.
pub(crate) struct CheckedCall<'a> {
    checks: &'a SendChecks,
    waits: Waits<'a>,
    followup: Followup,
}

impl CheckedCall<'_> {
    /// The time left until the deadline of the call.
    pub(crate) fn left(&mut self) -> Duration {
        self.waits.left()
    }

    /// Reports an accepted call to the guard. A failure of its store does not change the result of the call.
    pub(crate) async fn accepted(self, id: Option<&str>) {
        let Some(guard) = &self.checks.guard else { return };
        match (self.followup, id) {
            (Followup::Counted(request), Some(id)) if request.is_passcode => {
                self.waits.report(guard.store.sent(id, &request)).await;
            }
            (Followup::Converted(id), _) => self.waits.report(guard.store.converted(&id)).await,
            _ => {}
        }
    }

    /// Withdraws the message from the guard if the error proves that nothing was processed.
    pub(crate) async fn failed(self, error: &Error) {
        if let (Followup::Counted(request), Some(guard)) = (self.followup, &self.checks.guard)
            && error.processed() == Processed::No
        {
            self.waits.report(guard.store.withdraw(&request)).await;
        }
    }
}

impl SendChecks {
    /// Whether the client has neither store.
    pub(crate) const fn is_empty(&self) -> bool {
        self.suppression.is_none() && self.guard.is_none()
    }

    /// Checks the recipients of a request within the deadline of its call.
    ///
    /// # Errors
    /// `invalid`: a recipient is suppressed, the guard refuses it, or a store failed.
    pub(crate) async fn check<'a>(
        &'a self,
        meta: &Meta,
        prepared: &Prepared,
        mut waits: Waits<'a>,
    ) -> Result<CheckedCall<'a>, Error> {
        self.check_suppression(meta, prepared, &mut waits).await?;
        let followup = self.ask_guard(meta, prepared, &mut waits).await?;
        Ok(CheckedCall { checks: self, waits, followup })
    }

    async fn ask_guard(
        &self,
        meta: &Meta,
        prepared: &Prepared,
        waits: &mut Waits<'_>,
    ) -> Result<Followup, Error> {
        let Some(guard) = self.guard.as_deref() else { return Ok(Followup::Nothing) };
        let is_passcode = meta.id == SendPasscode::ID;
        let number = match prepared.sms_recipients.first() {
            Some(recipient) if is_passcode || meta.id == SendSms::ID && guard.settings.includes_sms => {
                &recipient.number
            }
            _ if meta.id == VerifyPasscode::ID => {
                return Ok(prepared.expected.id.clone().map_or(Followup::Nothing, Followup::Converted));
            }
            _ => return Ok(Followup::Nothing),
        };
        let request = GuardRequest::new(normal(number), is_passcode, waits.clock.unix_time());
        let sends_without_store = guard.settings.sends_without_store;
        let left = waits.left();
        // A call that is sent without the store needs time for that.
        let most = if sends_without_store { left / 2 } else { left };
        let limit = most.min(STORE_TIMEOUT);
        match waits.within(GUARD, limit, guard.store.admit(&request, &guard.settings)).await {
            Ok(None) => Ok(Followup::Counted(request)),
            Ok(Some(reason)) => Err(refused(meta, prepared, reason.code(), &[])),
            Err(_) if sends_without_store => Ok(Followup::Nothing),
            Err(failure) => Err(unavailable(meta, prepared, failure)),
        }
    }

    async fn check_suppression(
        &self,
        meta: &Meta,
        prepared: &Prepared,
        waits: &mut Waits<'_>,
    ) -> Result<(), Error> {
        let Some(store) = self.suppression.as_deref().filter(|_| meta.family != Family::Otp) else {
            return Ok(());
        };
        let numbers: Vec<String> =
            prepared.sms_recipients.iter().map(|recipient| normal(&recipient.number).into_owned()).collect();
        if numbers.is_empty() {
            return Ok(());
        }
        let limit = waits.left().min(STORE_TIMEOUT);
        let found = waits.within(SUPPRESSION, limit, store.are_suppressed(&numbers)).await;
        let unavailable =
            |source| refused(meta, prepared, &codes::SUPPRESSION_UNAVAILABLE, &[]).caused_by(source);
        let found = found.map_err(|failure| unavailable(failure.into_source()))?;
        if found.len() != numbers.len() {
            return Err(unavailable(None));
        }
        let recipients = prepared.sms_recipients.iter().zip(&found);
        let suppressed: Vec<&str> = recipients
            .filter_map(|(recipient, is_suppressed)| is_suppressed.then_some(recipient.pointer.as_str()))
            .collect();
        if suppressed.is_empty() {
            return Ok(());
        }
        Err(refused(meta, prepared, &codes::SUPPRESSED, &suppressed))
    }
}

/// The error of a call that is not sent because of its recipients, or of those at these places.
fn refused(meta: &Meta, prepared: &Prepared, code: &'static Code, pointers: &[&str]) -> Error {
    let at = Pointer::ROOT.key(meta.recipients.unwrap_or_default());
    let problem = Problem::new(code, &at);
    let problems = match pointers {
        [] => vec![problem],
        pointers => pointers
            .iter()
            .map(|pointer| Problem { pointer: (*pointer).to_owned(), ..problem.clone() })
            .collect(),
    };
    Error::invalid(meta.id, problems).with_reference(prepared.reference.clone())
}

/// The error of a call whose guard could not ask its store. The text of the store's error, which may contain an address with a
/// password, is in its source only.
fn unavailable(meta: &Meta, prepared: &Prepared, failure: StoreFailure) -> Error {
    let found = match &failure {
        StoreFailure::Failed(_) => "the store of the guard failed".to_owned(),
        StoreFailure::Timeout(limit) => {
            format!("the store of the guard did not answer within {} ms", limit.as_millis())
        }
    };
    let at = Pointer::ROOT.key(meta.recipients.unwrap_or_default());
    let problem = Problem::new(&codes::GUARD_UNAVAILABLE, &at)
        .message(format!("{found}; the setting `sends_without_store` sends without it"));
    Error::invalid(meta.id, vec![problem])
        .with_reference(prepared.reference.clone())
        .caused_by(failure.into_source())
}

/// Why a store has no result.
enum StoreFailure {
    Failed(Source),
    /// It did not answer within this time.
    Timeout(Duration),
}

impl StoreFailure {
    fn into_source(self) -> Option<Source> {
        match self {
            Self::Failed(source) => Some(source),
            Self::Timeout(_) => None,
        }
    }
}
