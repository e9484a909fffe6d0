//! Runs one call: attempts, backoff, reconciliation, outcome.

use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use tracing::Instrument;

use super::accepted::Accepted;
use super::call_environment::CallEnvironment;
use super::call_info::{CallInfo, Classification, Received};
use super::call_state::CallState;
use super::failed_attempt::FailedAttempt;
use super::hooks::{ReportedRequest, RequestEvent, TRACEPARENT};
use super::response_decoder::ResponseDecoder;
use super::retry::{Allowance, Decision, Failure, decide};
use super::transport::{Attempt, TransportError};
use super::{error_text, event_url};
use crate::clock::{BoxFuture, Clock, NoEntropy};
use crate::error::{Error, Outcome, Reason, SentState};
use crate::http::{HttpRequest, HttpResponse};
use crate::operation::{RetrySafety, Unconfirmed};
use crate::prepared::Prepared;
use crate::problem::{Pointer, Problem, Severity, codes};
use crate::reconcile::{Finding, Reconcile};
use crate::response::confirm_response::Confirmed;

/// The maximum number of pages that one lookup in the records reads.
const MAX_RECORD_PAGES: u32 = 1000;

/// Sends a prepared request, with retries, and decodes its response.
///
/// # Errors
/// Every outcome except accepted.
pub(crate) async fn execute(
    environment: CallEnvironment,
    info: CallInfo,
    prepared: Prepared,
    decoder: &mut dyn ResponseDecoder,
) -> Result<Accepted, Error> {
    let info = info.of_request(prepared.safety, &prepared.expected);
    let mut request = prepared.request;
    environment.add_headers(&mut request).map_err(|error| environment.invalid(error))?;
    let state = CallState::new(environment, info, prepared.reference, prepared.expected);
    let span =
        tracing::info_span!("cpaas.call", operation = info.operation, call_id = state.call_id.as_str());
    if prepared.warnings.iter().any(|warning| warning.code == codes::OTP_BODY_NO_CODE.id)
        && state.environment.is_first_text_without_code()
    {
        span.in_scope(|| {
            tracing::warn!(
                call_id = state.call_id.as_str(),
                operation = info.operation,
                reference = state.logged_reference().as_deref(),
                "the text of the passcode has no code"
            );
        });
    }
    let call = pin!(state.run(request, prepared.reconcile, prepared.warnings, decoder));
    if span.is_disabled() { call.await } else { call.instrument(span).await }
}

/// Attaches what validation found: it may explain why the provider rejected the request, so the message of a rejection names
/// the first warning.
fn with_warnings(mut error: Error, warnings: Vec<Problem>) -> Error {
    let record = error.record_mut();
    let explains = warnings.iter().any(|warning| warning.severity != Severity::Info);
    if record.outcome == Outcome::Rejected && !record.call_facts().is_throttled && explains {
        let causes = Problem::causes(&warnings).unwrap_or_default();
        record.message += &error_text::found_by_validation(&causes);
    }
    record.problems.extend(warnings);
    error
}

impl CallState {
    async fn run(
        mut self,
        mut request: HttpRequest,
        mut records: Option<Box<dyn Reconcile>>,
        warnings: Vec<Problem>,
        decoder: &mut dyn ResponseDecoder,
    ) -> Result<Accepted, Error> {
        loop {
            self.attempts += 1;
            let mut failed = match self.attempt(&request, &mut *decoder).await {
                Ok((response, found)) => return Ok(self.accept(response, warnings, found)),
                Err(failed) => *failed,
            };
            let mut finding = self.already_done(&failed.error, records.as_deref());
            let mut decision = self.decide(failed.failure, failed.retry_after);
            // Also if the request was accepted: the call may be dropped while it searches the records for the id.
            if failed.failure == Failure::Unknown || failed.error.outcome == Outcome::AcceptedIdUnknown {
                self.unknown_attempt.get_or_insert(failed.error.reason);
            }
            if let (Some(records), None, Decision::Stop) = (&mut records, &finding, decision)
                && self.needs_records(&failed.error, &**records)
            {
                finding = Some(self.search_records(&mut **records).await);
            }
            match finding {
                Some(Finding::Done(response)) => {
                    let found = decoder.decode(&self.environment.context, &response, &self.expected);
                    // A record whose id a response returned belongs to that call. The id is not added: it may be that of a call
                    // whose response has not arrived.
                    if let Ok(found) = found
                        && !self.environment.shared.known_ids.contains(self.info.family, &found.ids)
                    {
                        let error = self.completed(failed.error);
                        let accepted = self.accept(response, warnings, reconciled(found));
                        return Ok(Accepted { reconciled: Some(error), ..accepted });
                    }
                }
                Some(Finding::NotFound) if failed.error.outcome == Outcome::Unknown => {
                    decision = self.decide(Failure::NotFound, failed.retry_after);
                }
                Some(Finding::Evidence(evidence)) => failed.error.record_mut().evidence = Some(evidence),
                _ => {}
            }
            let Decision::Wait(wait) = decision else {
                return Err(self.failed(with_warnings(failed.error, warnings)));
            };
            if !self.pause(wait, failed.retry_after.is_some()).await {
                return Err(self.failed(with_warnings(failed.error, warnings)));
            }
            use_next_region(&mut request, failed.failure);
        }
    }

    fn accept(
        mut self,
        response: HttpResponse,
        mut warnings: Vec<Problem>,
        confirmed: Confirmed,
    ) -> Accepted {
        let Confirmed { warnings: found, id, not_verified, .. } = confirmed;
        warnings.extend(found);
        let not_verified = if not_verified {
            Some(self.not_verified(&response, warnings.clone()))
        } else {
            self.accepted();
            None
        };
        Accepted {
            response,
            warnings,
            attempts: self.attempts,
            call_id: std::mem::take(&mut self.call_id),
            id,
            not_verified,
            reconciled: None,
        }
    }

    /// Makes one attempt; returns an accepted response.
    async fn attempt(
        &mut self,
        request: &HttpRequest,
        decoder: &mut dyn ResponseDecoder,
    ) -> Result<(HttpResponse, Confirmed), Box<FailedAttempt>> {
        let info = self.info;
        let response = self.exchange(info, request).await?;
        info.classify(&response, Received::Whole, self.environment.clock())?;
        let confirmed = decoder.decode(&self.environment.context, &response, &self.expected);
        match confirmed.and_then(|confirmed| self.check_ids(confirmed)) {
            // An earlier attempt may have verified the passcode, so this one does not show that it was wrong.
            Ok(confirmed) if confirmed.not_verified && self.unknown_attempt.is_some() => {
                let clock = self.environment.clock();
                let error = info.not_verified(&response, confirmed.warnings, self.attempts, clock);
                Err(Box::new(FailedAttempt { error, failure: Failure::Final, retry_after: None }))
            }
            Ok(confirmed) => Ok((response, confirmed)),
            Err(unconfirmed) => Err(info.unconfirmed(unconfirmed, &response, self.environment.clock())),
        }
    }

    /// Rejects ids of a response that belong to another call of this client. For a test message, or with `accept_repeated_ids`, it adds a
    /// warning instead.
    fn check_ids(&self, mut confirmed: Confirmed) -> Result<Confirmed, Unconfirmed> {
        let ids = &confirmed.ids;
        if ids.is_empty() || self.environment.shared.known_ids.insert(self.info.family, ids) {
            return Ok(confirmed);
        }
        if !self.expected.test && !self.environment.limits.accept_repeated_ids {
            return Err(Unconfirmed::RepeatedId);
        }
        confirmed.warnings.push(Problem::new(&codes::RESPONSE_ID_REPEATED, &Pointer::ROOT));
        Ok(confirmed)
    }

    async fn exchange(
        &mut self,
        info: CallInfo,
        request: &HttpRequest,
    ) -> Result<HttpResponse, Box<FailedAttempt>> {
        let mut reported = self.report_request(request).await;
        let traced = self.with_traceparent(request, reported.as_ref()).await;
        if let Some(reported) = &mut reported {
            // The hooks are no part of the request's time.
            reported.started = self.environment.clock().monotonic();
        }
        let request = traced.as_ref().unwrap_or(request);
        // The hook may have used up the time until the deadline.
        let (left, limit) = (self.left(), self.environment.limits.attempt);
        let attempt = Attempt::new(limit, left, &self.progress, self.environment.clock());
        let result = if left.is_zero() {
            Err(TransportError::new(SentState::No, Reason::Timeout))
        } else {
            self.environment.shared.transport.attempt(request, attempt).await
        };
        let is_early = std::mem::take(&mut self.progress).has_early_response();
        if let Some(reported) = reported {
            self.environment.hooks().report_response(reported, &result, self.environment.clock());
        }
        let received = match result {
            Ok(response) => Ok(response),
            Err(error) => {
                let is_last = left <= limit || self.left().is_zero();
                let clock = self.environment.clock();
                Err(info.transport_failed(error, request, self.attempts, is_last, clock))
            }
        };
        let clock = self.environment.clock();
        match received {
            // The server cannot have read the whole request, so this is not its success, and its rate limit does not prove that the request
            // is not processed.
            Ok(response) if is_early && info.decides_when_whole(&response, clock) => {
                let members = info.read_members(&response.body);
                Err(info.failed(Classification::Unknown(Reason::Http), &response, members, clock))
            }
            Err(failed) if is_early => Err(failed.early()),
            received => received,
        }
    }

    /// Reports a request to the hooks. The call yields before the request is sent, so that a binding can run its own hook first.
    async fn report_request(&self, request: &HttpRequest) -> Option<ReportedRequest> {
        let (hooks, clock) = (self.environment.hooks(), self.environment.clock());
        if !hooks.need_requests() {
            return None;
        }
        let event = RequestEvent {
            call_id: self.call_id.clone(),
            operation: self.info.operation,
            attempt: self.attempts,
            is_lookup: request.operation != self.info.operation,
            method: request.method.as_str(),
            url: event_url::redacted(request),
        };
        if hooks.report_request(&event)
            && let Some(yielded) = clock.sleep(Duration::ZERO)
        {
            yielded.await;
        }
        Some(ReportedRequest { event, started: clock.monotonic() })
    }

    /// The request with the header `traceparent`; `None` if the header is not added.
    async fn with_traceparent(
        &mut self,
        request: &HttpRequest,
        reported: Option<&ReportedRequest>,
    ) -> Option<HttpRequest> {
        let mut value = None;
        let found = reported.and_then(|reported| self.environment.hooks().traceparent(&reported.event));
        if let Some(found) = found {
            value = self.within_deadline(found).await.flatten();
        }
        if value.is_none() && self.environment.limits.send_traceparent {
            value = Some(format!("00-{}-{:016x}-00", self.call_id, self.attempts));
        }
        let has_own = request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(TRACEPARENT));
        let value = value.filter(|_| !has_own)?;
        let mut traced = request.clone();
        traced.headers.push((TRACEPARENT.to_owned(), value));
        Some(traced)
    }

    /// Waits for a value; `None` after the deadline.
    async fn within_deadline<T>(&mut self, value: BoxFuture<'static, T>) -> Option<T> {
        let left = self.left();
        let Some(deadline) = self.environment.clock().sleep(left) else { return Some(value.await) };
        match select(value, deadline).await {
            Either::Left((value, _)) => Some(value),
            Either::Right(_) => None,
        }
    }

    fn decide(&mut self, failure: Failure, retry_after: Option<Duration>) -> Decision {
        self.decide_for(self.info.safety, self.attempts, failure, retry_after)
    }

    fn decide_for(
        &mut self,
        safety: RetrySafety,
        attempt: u32,
        failure: Failure,
        retry_after: Option<Duration>,
    ) -> Decision {
        let elapsed = self.elapsed();
        let limits = &self.environment.limits;
        let allowance = Allowance {
            attempts: limits.attempts,
            deadline: limits.deadline,
            has_token: self.environment.shared.retry_budget.has_token(),
            retry_unknown: limits.retry_unknown,
            jitter: jitter(self.environment.clock()),
        };
        decide(safety, attempt, failure, retry_after, elapsed, &allowance)
    }

    /// Waits before a retry; returns false if the retry budget is empty or the clock cannot wait.
    async fn pause(&mut self, wait: Duration, has_retry_after: bool) -> bool {
        if !has_retry_after && !self.environment.shared.retry_budget.take() {
            return false;
        }
        tracing::debug!(
            call_id = self.call_id.as_str(),
            operation = self.info.operation,
            reference = self.logged_reference().as_deref(),
            attempt = self.attempts,
            wait_ms = u64::try_from(wait.as_millis()).ok(),
            "trying again"
        );
        if wait.is_zero() {
            return true;
        }
        let start = self.elapsed();
        let clock = self.environment.clock();
        let Some(sleep) = clock.sleep(wait) else { return false };
        sleep.await;
        self.stopwatch.count_wait(clock, start, wait);
        true
    }

    /// The result of an earlier attempt, if the rejection of a retry proves that the earlier attempt was processed.
    fn already_done(&self, error: &Error, records: Option<&dyn Reconcile>) -> Option<Finding> {
        let is_rejected_retry = self.unknown_attempt.is_some() && error.outcome == Outcome::Rejected;
        let code = error.code.filter(|_| is_rejected_retry)?;
        records?.result_of_rejection(code).map(Finding::Done)
    }

    /// Whether the provider's records can show more than the error.
    fn needs_records(&self, error: &Error, records: &dyn Reconcile) -> bool {
        match error.outcome {
            Outcome::Unknown | Outcome::AcceptedIdUnknown => true,
            Outcome::NotSent => self.unknown_attempt.is_some(),
            Outcome::Rejected => {
                self.unknown_attempt.is_some() && records.needs_records(error.code.unwrap_or_default())
            }
            Outcome::Invalid => false,
        }
    }

    async fn search_records(&mut self, records: &mut dyn Reconcile) -> Finding {
        let Some(mut request) = records.first_request() else { return Finding::Unclear };
        for _ in 0..MAX_RECORD_PAGES {
            if self.environment.add_headers(&mut request).is_err() {
                return Finding::Unclear;
            }
            let Some(response) = self.read_record(&mut request).await else { return Finding::Unclear };
            let age = self.elapsed().min(self.environment.limits.deadline);
            match records.read_response(&response, age) {
                Finding::Request(next) => request = *next,
                finding => return finding,
            }
        }
        Finding::Unclear
    }

    /// Reads one page of the records, with the retries of a read.
    async fn read_record(&mut self, request: &mut HttpRequest) -> Option<HttpResponse> {
        let info =
            CallInfo { family: request.family, safety: RetrySafety::Read, success_marker: None, ..self.info };
        let mut attempt = 0;
        loop {
            attempt += 1;
            let result = self.exchange(info, request).await;
            let result = result.and_then(|response| {
                info.classify(&response, Received::Whole, self.environment.clock()).map(|()| response)
            });
            let failed = match result {
                Ok(response) => return Some(response),
                Err(failed) => failed,
            };
            let decision = self.decide_for(RetrySafety::Read, attempt, failed.failure, failed.retry_after);
            let Decision::Wait(wait) = decision else { return None };
            if !self.pause(wait, failed.retry_after.is_some()).await {
                return None;
            }
            use_next_region(request, failed.failure);
        }
    }
}

/// Replaces the warnings of a result that was read from the provider's records.
fn reconciled(confirmed: Confirmed) -> Confirmed {
    let mut warnings = vec![Problem::new(&codes::RESPONSE_RECONCILED, &Pointer::ROOT)];
    // Records contain fewer members than responses.
    warnings.extend(
        confirmed.warnings.into_iter().filter(|warning| warning.code != codes::RESPONSE_MEMBER_MISSING.id),
    );
    Confirmed { warnings, ..confirmed }
}

/// A random number from 0 to 1; without random bytes one half, the middle of the range of waits.
fn jitter(clock: &dyn Clock) -> f64 {
    let mut random = [0; 4];
    match clock.fill_random(&mut random) {
        Ok(()) => f64::from(u32::from_ne_bytes(random)) / f64::from(u32::MAX),
        Err(NoEntropy) => 0.5,
    }
}

fn use_next_region(request: &mut HttpRequest, failure: Failure) {
    if failure == (Failure::NotSent { next_region: true }) && !request.alternates.is_empty() {
        request.url = request.alternates.remove(0);
    }
}
