//! The stores that a client consults before the first attempt of a call: suppressed numbers, and the guard against pumping.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};

use crate::clock::{BoxFuture, Clock};
use crate::error::Error;
use crate::guard::{Guard, GuardRequest};
use crate::operation::{Family, Meta, Operation};
use crate::otp::{SendPasscode, VerifyPasscode};
use crate::prepared::Prepared;
use crate::problem::{Code, Pointer, Problems, codes};
use crate::rules::formats::normal;
use crate::sms::SendSms;
use crate::suppression::{StoreError, SuppressionStore};

/// The time limit of a store.
pub(crate) const STORE_TIMEOUT: Duration = Duration::from_secs(5);

/// The stores of a client.
#[derive(Clone, Default)]
pub(crate) struct SendChecks {
    pub(crate) suppression: Option<Arc<dyn SuppressionStore>>,
    pub(crate) guard: Option<Arc<Guard>>,
}

/// What the guard must know after a successful call.
pub(crate) enum Followup {
    Nothing,
    /// A passcode was sent: its id.
    Sent(GuardRequest),
    /// The passcode with this id was entered.
    Converted(String),
}

impl SendChecks {
    /// Checks the recipients of a request.
    ///
    /// # Errors
    /// `invalid`: a recipient is suppressed, the guard refuses it, or a store failed.
    pub(crate) async fn check(
        &self,
        meta: &Meta,
        prepared: &Prepared,
        clock: &dyn Clock,
    ) -> Result<Followup, Error> {
        self.check_suppression(meta, prepared, clock).await?;
        let Some(guard) = self.guard.as_deref() else { return Ok(Followup::Nothing) };
        let is_passcode = meta.id == SendPasscode::ID;
        let number = match prepared.sms_recipients.first() {
            Some(number) if is_passcode || meta.id == SendSms::ID && guard.settings.includes_sms => number,
            _ if meta.id == VerifyPasscode::ID => {
                return Ok(prepared.expected.id.clone().map_or(Followup::Nothing, Followup::Converted));
            }
            _ => return Ok(Followup::Nothing),
        };
        let request = GuardRequest::new(normal(number), is_passcode, clock.unix_time());
        match within(clock, guard.store.admit(&request, &guard.settings)).await {
            Some(None) if is_passcode => Ok(Followup::Sent(request)),
            Some(None) => Ok(Followup::Nothing),
            Some(Some(reason)) => Err(refused(meta, prepared, reason.code(), &[])),
            None if guard.settings.sends_without_store => Ok(Followup::Nothing),
            None => Err(refused(meta, prepared, &codes::GUARD_UNAVAILABLE, &[])),
        }
    }

    async fn check_suppression(
        &self,
        meta: &Meta,
        prepared: &Prepared,
        clock: &dyn Clock,
    ) -> Result<(), Error> {
        let Some(store) = self.suppression.as_deref().filter(|_| meta.family != Family::Otp) else {
            return Ok(());
        };
        let mut suppressed = Vec::new();
        for (index, recipient) in prepared.sms_recipients.iter().enumerate() {
            let number = normal(recipient);
            match within(clock, store.is_suppressed(&number)).await {
                Some(true) => suppressed.push(index),
                Some(false) => {}
                None => return Err(refused(meta, prepared, &codes::SUPPRESSION_UNAVAILABLE, &[])),
            }
        }
        if suppressed.is_empty() {
            return Ok(());
        }
        Err(refused(meta, prepared, &codes::SUPPRESSED, &suppressed))
    }

    /// Tells the guard about a successful call. A failure of its store does not change the result of the call.
    pub(crate) async fn follow_up(&self, followup: Followup, id: Option<&str>, clock: &dyn Clock) {
        let Some(guard) = self.guard.as_deref() else { return };
        match (followup, id) {
            (Followup::Sent(request), Some(id)) => {
                within(clock, guard.store.sent(id, &request)).await;
            }
            (Followup::Converted(id), _) => {
                within(clock, guard.store.converted(&id)).await;
            }
            _ => {}
        }
    }
}

/// The error of a call that is not sent because of its recipients.
pub(crate) fn refused(meta: &Meta, prepared: &Prepared, code: &'static Code, indices: &[usize]) -> Error {
    let mut problems = Problems::default();
    let problem = problems.report_key(code, &Pointer::ROOT, meta.recipients.unwrap_or_default());
    if prepared.sms_recipients.len() > 1 && !indices.is_empty() {
        problem.param("indices", indices.to_vec());
    }
    Error::invalid(meta.id, problems.into_vec()).with_reference(prepared.reference.clone())
}

/// The result of a store; `None` if it failed or did not answer in time. A clock that cannot wait sets no limit.
pub(crate) async fn within<T>(clock: &dyn Clock, answer: BoxFuture<'_, Result<T, StoreError>>) -> Option<T> {
    let result = match clock.sleep(STORE_TIMEOUT) {
        None => answer.await,
        Some(limit) => match select(pin!(answer), limit).await {
            Either::Left((result, _)) => result,
            Either::Right(_) => {
                tracing::warn!("a store did not answer within 5 seconds");
                return None;
            }
        },
    };
    result.inspect_err(|error| tracing::warn!(%error, "a store failed")).ok()
}
