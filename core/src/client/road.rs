//! The one road of a call: attempts, waits, questions to the records, and the end.

use std::time::Duration;

use tracing::Instrument;

use super::Client;
use super::retry::{Allowance, Decision, Failure, decide};
use super::scan::scan;
use super::transport::{Attempt, Progress};
use super::trip::Trip;
use super::verdict::{Failed, Read, Subject, Verdict};
use crate::error::{Error, Outcome, Reason};
use crate::http::{HttpRequest, HttpResponse};
use crate::operation::{Doubt, Expected, RetrySafety};
use crate::prepared::{Confirmed, Prepared};
use crate::problem::{Pointer, Problem, codes};
use crate::reconcile::{Finding, Reconcile};
use crate::wire::RequestContext;

/// An accepted answer.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) response: HttpResponse,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) attempts: u32,
}

/// Reads an answer into its type and keeps it.
pub(crate) trait Reader: Send {
    fn read(
        &mut self,
        wire: &RequestContext,
        response: &HttpResponse,
        expected: &Expected,
    ) -> Result<Confirmed, Doubt>;
}

/// Takes a request to the provider and back.
pub(crate) async fn travel(
    client: &Client,
    subject: Subject,
    prepared: Prepared,
    reader: &mut dyn Reader,
) -> Result<Passed, Error> {
    let subject = Subject { safety: prepared.safety, ..subject };
    let span = tracing::info_span!("cpaas.call", operation = subject.operation);
    let trip = Trip::new(client, subject, prepared.reference, prepared.expected);
    let mut request = prepared.request;
    if let Some(hook) = &client.shared.hooks.traceparent
        && let Some(value) = span.in_scope(|| hook())
    {
        request.headers.push(("traceparent".to_owned(), value));
    }
    let work = trip.run(request, prepared.reconcile, prepared.warnings, reader);
    if span.is_disabled() { work.await } else { work.instrument(span).await }
}

impl Trip<'_> {
    async fn run(
        mut self,
        mut request: HttpRequest,
        mut records: Option<Box<dyn Reconcile>>,
        warnings: Vec<Problem>,
        reader: &mut dyn Reader,
    ) -> Result<Passed, Error> {
        loop {
            self.attempts += 1;
            let mut failed = match self.attempt(&request, &mut *reader).await {
                Ok((response, found)) => return Ok(self.pass(response, warnings, found)),
                Err(failed) => *failed,
            };
            let mut finding = self.repetition(&failed.error, records.as_deref());
            let mut decision = self.decide(failed.failure, failed.retry_after);
            self.doubt |= failed.failure == Failure::Unknown;
            if let (Some(records), None, Decision::Stop) = (&mut records, &finding, decision)
                && self.is_worth_asking(&failed.error, &**records)
            {
                finding = Some(self.ask(&mut **records).await);
            }
            match finding {
                Some(Finding::Done(response)) => {
                    if let Ok(found) = reader.read(&self.client.wire, &response, &self.expected) {
                        return Ok(self.pass(response, warnings, reconciled(found)));
                    }
                }
                Some(Finding::NotFound) if failed.error.outcome == Outcome::Unknown => {
                    decision = self.decide(Failure::NotFound, None);
                }
                Some(Finding::Evidence(evidence)) => failed.error.record_mut().evidence = Some(evidence),
                _ => {}
            }
            let Decision::Wait(wait) = decision else { return Err(self.failed(failed.error)) };
            if !self.pause(wait, failed.retry_after.is_some()).await {
                return Err(self.failed(failed.error));
            }
            elsewhere(&mut request, failed.failure);
        }
    }

    fn pass(mut self, response: HttpResponse, mut warnings: Vec<Problem>, found: Vec<Problem>) -> Passed {
        warnings.extend(found);
        self.accepted();
        Passed { response, warnings, attempts: self.attempts }
    }

    /// One attempt, and what the response says beyond its verdict.
    async fn attempt(
        &mut self,
        request: &HttpRequest,
        reader: &mut dyn Reader,
    ) -> Result<(HttpResponse, Vec<Problem>), Box<Failed>> {
        let subject = self.subject;
        let response = self.exchange(subject, request).await?;
        subject.judge(&response, Read::Whole)?;
        let confirmed = reader.read(&self.client.wire, &response, &self.expected);
        let found = confirmed.and_then(|confirmed| self.admit(confirmed));
        match found {
            Ok(found) => Ok((response, found)),
            Err(doubt) => Err(subject.doubted(doubt, &response)),
        }
    }

    /// Whether the ids are new to this client; those of tests and stubs may repeat.
    fn admit(&self, confirmed: Confirmed) -> Result<Vec<Problem>, Doubt> {
        let Confirmed { mut warnings, ids } = confirmed;
        if ids.is_empty() || self.client.shared.minted.admit(self.subject.family, &ids) {
            return Ok(warnings);
        }
        if !self.expected.test && !self.client.limits.accept_repeated_ids {
            return Err(Doubt::Mismatch);
        }
        warnings.push(Problem::new(&codes::RESPONSE_ID_REPEATED, &Pointer::ROOT));
        Ok(warnings)
    }

    async fn exchange(
        &mut self,
        subject: Subject,
        request: &HttpRequest,
    ) -> Result<HttpResponse, Box<Failed>> {
        let (left, limit) = (self.left(), self.client.limits.attempt);
        let attempt = Attempt::new(limit, left, &self.progress);
        let result = self.client.shared.transport.attempt(request, attempt).await;
        self.progress = Progress::default();
        let last = left <= limit || self.left().is_zero();
        result.map_err(|fault| subject.fault(fault, !request.alternates.is_empty(), last))
    }

    fn decide(&self, failure: Failure, retry_after: Option<Duration>) -> Decision {
        self.decide_for(self.subject.safety, self.attempts, failure, retry_after)
    }

    fn decide_for(
        &self,
        safety: RetrySafety,
        attempt: u32,
        failure: Failure,
        retry_after: Option<Duration>,
    ) -> Decision {
        let limits = &self.client.limits;
        let allowance = Allowance {
            attempts: limits.attempts,
            deadline: limits.deadline,
            tokens: self.client.shared.budget.has_token(),
            unknown: limits.retry_unknown,
            jitter: f64::from(getrandom::u32().unwrap_or(u32::MAX / 2)) / f64::from(u32::MAX),
        };
        decide(safety, attempt, failure, retry_after, self.elapsed(), &allowance)
    }

    /// Waits; false when the budget is empty or no runtime is there to wait with.
    async fn pause(&self, wait: Duration, asked_for: bool) -> bool {
        if !asked_for && !self.client.shared.budget.take() {
            return false;
        }
        tracing::debug!(
            attempt = self.attempts,
            wait_ms = u64::try_from(wait.as_millis()).ok(),
            "trying again"
        );
        if wait.is_zero() {
            return true;
        }
        if tokio::runtime::Handle::try_current().is_err() {
            return false;
        }
        tokio::time::sleep(wait).await;
        true
    }

    /// A refusal of a repetition that says that the first try was done.
    fn repetition(&self, error: &Error, records: Option<&dyn Reconcile>) -> Option<Finding> {
        let code = error.code.filter(|_| self.doubt && error.outcome == Outcome::Rejected)?;
        records?.refused(code).map(Finding::Done)
    }

    fn is_worth_asking(&self, error: &Error, records: &dyn Reconcile) -> bool {
        match error.outcome {
            Outcome::Unknown | Outcome::AcceptedIdUnknown => true,
            Outcome::NotSent => self.doubt,
            Outcome::Rejected => self.doubt && records.doubts(error.code.unwrap_or_default()),
            Outcome::Invalid => false,
        }
    }

    async fn ask(&mut self, records: &mut dyn Reconcile) -> Finding {
        let Some(mut request) = records.question() else { return Finding::Unclear };
        for _ in 0..MOST_QUESTIONS {
            let Some(response) = self.fetch(&mut request).await else { return Finding::Unclear };
            match records.read(&response, self.elapsed()) {
                Finding::Ask(next) => request = *next,
                finding => return finding,
            }
        }
        Finding::Unclear
    }

    /// A read of the records, retried as reads are.
    async fn fetch(&mut self, request: &mut HttpRequest) -> Option<HttpResponse> {
        let subject =
            Subject { family: request.family, safety: RetrySafety::Read, evidence: None, ..self.subject };
        let mut attempt = 0;
        loop {
            attempt += 1;
            let result = self.exchange(subject, request).await;
            let result = result.and_then(|response| subject.judge(&response, Read::Whole).map(|()| response));
            let failed = match result {
                Ok(response) => return Some(response),
                Err(failed) => failed,
            };
            let decision = self.decide_for(RetrySafety::Read, attempt, failed.failure, failed.retry_after);
            let Decision::Wait(wait) = decision else { return None };
            if !self.pause(wait, failed.retry_after.is_some()).await {
                return None;
            }
            elsewhere(request, failed.failure);
        }
    }
}

impl Subject {
    /// The error for a response that reports success and does not prove it.
    pub(crate) fn doubted(&self, doubt: Doubt, response: &HttpResponse) -> Box<Failed> {
        let verdict = match doubt {
            Doubt::Missing => Verdict::Unknown(Reason::Decode),
            Doubt::Mismatch => Verdict::Unknown(Reason::Mismatch),
            Doubt::IdMissing => Verdict::IdLost(Reason::Decode),
            Doubt::AllRejected(_) => Verdict::Refused,
        };
        let mut failed = self.failed(verdict, response, scan(&response.body));
        if let Doubt::AllRejected(code) = doubt {
            failed.error.record_mut().code = code;
        }
        failed
    }
}

/// Marks a result that was read from the provider's records.
fn reconciled(confirmed: Confirmed) -> Vec<Problem> {
    let mut warnings = vec![Problem::new(&codes::RESPONSE_RECONCILED, &Pointer::ROOT)];
    // Records hold no more than they hold.
    warnings.extend(
        confirmed.warnings.into_iter().filter(|warning| warning.code != codes::RESPONSE_MEMBER_MISSING.id),
    );
    warnings
}

/// More pages than this are not read for one question.
const MOST_QUESTIONS: u32 = 1000;

fn elsewhere(request: &mut HttpRequest, failure: Failure) {
    if failure == (Failure::NotSent { elsewhere: true }) && !request.alternates.is_empty() {
        request.url = request.alternates.remove(0);
    }
}
