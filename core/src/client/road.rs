//! The one road of a call: attempts, waits, questions to the records, and the end.

use std::time::Duration;

use tracing::Instrument;

use super::Client;
use super::retry::{Allowance, Decision, Failure, decide};
use super::transport::{Attempt, Progress};
use super::trip::Trip;
use super::verdict::{Failed, Read, Subject};
use crate::error::{Error, Outcome};
use crate::http::{HttpRequest, HttpResponse};
use crate::json::Prepared;
use crate::operation::Safety;
use crate::problem::Problem;
use crate::reconcile::{Finding, Reconcile};
use crate::wire::Wire;

/// An accepted answer.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) response: HttpResponse,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) attempts: u32,
}

/// Reads an answer into its type and keeps it.
pub(crate) trait Reader: Send {
    fn read(&mut self, wire: &Wire, response: &HttpResponse) -> Read;
}

/// Takes a request to the provider and back.
pub(crate) async fn travel(
    client: &Client,
    subject: Subject,
    prepared: Prepared,
    reader: &mut dyn Reader,
) -> Result<Passed, Error> {
    let span = tracing::info_span!("cpaas.call", operation = subject.operation);
    let trip = Trip::new(client, subject, prepared.reference);
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
            let failed = match self.attempt(&request, &mut *reader).await {
                Ok(response) => return Ok(self.pass(response, warnings)),
                Err(failed) => *failed,
            };
            let mut finding = self.repetition(&failed.error, records.as_deref());
            let mut decision = self.decide(failed.failure);
            self.doubt |= failed.failure == Failure::Unknown;
            if let (Some(records), None, Decision::Stop) = (&mut records, &finding, decision)
                && self.is_worth_asking(&failed.error, &**records)
            {
                finding = Some(self.ask(&mut **records).await);
            }
            let settled = finding == Some(Finding::NotFound);
            match finding {
                Some(Finding::Done(response))
                    if reader.read(&self.client.wire, &response) != Read::Unreadable =>
                {
                    return Ok(self.pass(response, warnings));
                }
                Some(Finding::NotFound) if failed.error.outcome == Outcome::Unknown => {
                    decision = self.decide(Failure::NotFound);
                }
                _ => {}
            }
            let Decision::Wait(wait) = decision else {
                let settled = settled && failed.error.outcome == Outcome::Rejected;
                return Err(self.failed(failed.error, settled));
            };
            if !self.pause(wait, failed.failure).await {
                return Err(self.failed(failed.error, false));
            }
            elsewhere(&mut request, failed.failure);
        }
    }

    fn pass(mut self, response: HttpResponse, warnings: Vec<Problem>) -> Passed {
        self.accepted();
        Passed { response, warnings, attempts: self.attempts }
    }

    async fn attempt(
        &mut self,
        request: &HttpRequest,
        reader: &mut dyn Reader,
    ) -> Result<HttpResponse, Box<Failed>> {
        let subject = self.subject;
        let response = self.exchange(subject, request).await?;
        let readable = matches!(response.status, 200..=299) || subject.safety == Safety::Verify;
        let read = if readable { reader.read(&self.client.wire, &response) } else { Read::Unreadable };
        subject.judge(&response, read).map(|()| response)
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

    fn decide(&self, failure: Failure) -> Decision {
        self.decide_for(self.subject.safety, self.attempts, failure)
    }

    fn decide_for(&self, safety: Safety, attempt: u32, failure: Failure) -> Decision {
        let limits = &self.client.limits;
        let allowance = Allowance {
            attempts: limits.attempts,
            deadline: limits.deadline,
            tokens: self.client.shared.budget.has_token(),
            unknown: limits.retry_unknown,
            jitter: f64::from(getrandom::u32().unwrap_or(u32::MAX / 2)) / f64::from(u32::MAX),
        };
        decide(safety, attempt, failure, self.elapsed(), &allowance)
    }

    /// Waits; false when the budget is empty or no runtime is there to wait with.
    async fn pause(&self, wait: Duration, failure: Failure) -> bool {
        let wished = matches!(failure, Failure::Throttled(Some(_)));
        if !wished && !self.client.shared.budget.take() {
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
        let subject = Subject { family: request.family, safety: Safety::Read, output: None, ..self.subject };
        let mut attempt = 0;
        loop {
            attempt += 1;
            let result = self.exchange(subject, request).await;
            let result =
                result.and_then(|response| subject.judge(&response, Read::Shaped).map(|()| response));
            let failure = match result {
                Ok(response) => return Some(response),
                Err(failed) => failed.failure,
            };
            let Decision::Wait(wait) = self.decide_for(Safety::Read, attempt, failure) else { return None };
            if !self.pause(wait, failure).await {
                return None;
            }
            elsewhere(request, failure);
        }
    }
}

/// More pages than this are not read for one question.
const MOST_QUESTIONS: u32 = 1000;

fn elsewhere(request: &mut HttpRequest, failure: Failure) {
    if failure == (Failure::NotSent { elsewhere: true }) && !request.alternates.is_empty() {
        request.url = request.alternates.remove(0);
    }
}
