use std::time::{Duration, Instant};

use super::{Client, failure, verdict};
use crate::error::{Error, Sent};
use crate::http::HttpResponse;
use crate::json::Prepared;
use crate::operation::Safety;
use crate::problem::Problem;

/// An accepted answer, not parsed yet.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) response: HttpResponse,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) attempts: u32,
}

/// Takes a request to the provider and back: attempts, waits, and the verdict on the answer.
pub(crate) async fn travel(client: &Client, safety: Safety, prepared: Prepared) -> Result<Passed, Error> {
    let started = Instant::now();
    let mut request = prepared.request;
    let mut attempts = 0;
    loop {
        attempts += 1;
        let left = client.limits.deadline.saturating_sub(started.elapsed());
        let result = client.transport.send(&request, left.min(client.limits.attempt)).await;
        let mut error = match result {
            Ok(response) => match verdict::refusal(&request, &response) {
                None => return Ok(Passed { response, warnings: prepared.warnings, attempts }),
                Some(error) => error,
            },
            Err(fault) => failure::explain(&request, &fault),
        };
        let wait = backoff(attempts);
        let again = error.sent == Sent::No
            || matches!(safety, Safety::Read | Safety::Idempotent) && error.sent == Sent::Maybe;
        let time = started.elapsed() + wait < client.limits.deadline;
        if !again || attempts >= client.limits.attempts || !time {
            error.record_mut().attempts = attempts;
            return Err(error.with_reference(prepared.reference));
        }
        if !request.alternates.is_empty() && error.sent == Sent::No {
            request.url = request.alternates.remove(0);
        }
        tokio::time::sleep(wait).await;
    }
}

fn backoff(attempt: u32) -> Duration {
    Duration::from_millis(200 << attempt.min(4))
}
