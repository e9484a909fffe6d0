//! The retry strategy: a pure function without a clock or a source of randomness.

use std::time::Duration;

use crate::operation::RetrySafety;

/// The shortest wait between two attempts.
pub(crate) const MIN_BACKOFF: Duration = Duration::from_millis(200);
/// The longest wait without a `Retry-After`.
pub(crate) const MAX_BACKOFF: Duration = Duration::from_secs(5);
/// The longest wait for a `Retry-After`; a longer one is reported to the caller instead.
pub(crate) const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);

/// The cause of a failed attempt, for the retry strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Proof that no byte was processed.
    NotSent {
        /// Whether another region is configured and has not been tried.
        next_region: bool,
    },
    /// The provider limits the rate: the request was not processed.
    Throttled,
    /// The request may have been processed.
    Unknown,
    /// The request may have been processed, but the provider's records do not contain it.
    NotFound,
    /// Rejected, or accepted without an id: a retry cannot help.
    Final,
}

/// The limits of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowance {
    /// The maximum number of attempts.
    pub(crate) attempts: u32,
    /// Time limit of all attempts together.
    pub(crate) deadline: Duration,
    /// Whether the retry budget has a token left.
    pub(crate) has_token: bool,
    /// Whether the caller opted in to retries after an unknown outcome.
    pub(crate) retry_unknown: bool,
    /// A random number from 0 to 1.
    pub(crate) jitter: f64,
}

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Wait for this duration, then retry.
    Wait(Duration),
    /// Report the failure.
    Stop,
}

/// Decides whether to retry after attempt `attempt` (1 is the first) failed, `elapsed` after the call began.
pub(crate) fn decide(
    safety: RetrySafety,
    attempt: u32,
    failure: Failure,
    retry_after: Option<Duration>,
    elapsed: Duration,
    allowance: &Allowance,
) -> Decision {
    if attempt >= allowance.attempts || !is_permitted(safety, failure, allowance.retry_unknown) {
        return Decision::Stop;
    }
    if retry_after.is_none() && !allowance.has_token || retry_after.is_some_and(|wait| wait > MAX_RETRY_AFTER)
    {
        return Decision::Stop;
    }
    let wait = match failure {
        Failure::NotSent { next_region: true } => Duration::ZERO,
        _ => backoff(attempt, allowance.jitter).max(retry_after.unwrap_or_default()),
    };
    if elapsed.saturating_add(wait) >= allowance.deadline {
        return Decision::Stop;
    }
    Decision::Wait(wait)
}

fn is_permitted(safety: RetrySafety, failure: Failure, opted_in: bool) -> bool {
    match failure {
        Failure::NotSent { .. } | Failure::Throttled => true,
        Failure::Final => false,
        Failure::NotFound => safety == RetrySafety::Create || opted_in,
        Failure::Unknown => opted_in || safety.is_repeatable(),
    }
}

/// A random wait: from 0.2 s to a ceiling that triples with each attempt, at most 5 s.
fn backoff(attempt: u32, jitter: f64) -> Duration {
    let ceiling = MIN_BACKOFF.saturating_mul(3_u32.saturating_pow(attempt)).min(MAX_BACKOFF);
    MIN_BACKOFF + ceiling.saturating_sub(MIN_BACKOFF).mul_f64(jitter.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Decision::{Stop, Wait};
    use RetrySafety::{Append, Cancel, Create, Idempotent, Lookup, Read, Send, Verify};

    const ALL: [RetrySafety; 8] = [Read, Lookup, Create, Idempotent, Append, Cancel, Verify, Send];
    const FULL: Allowance = Allowance {
        attempts: 3,
        deadline: Duration::from_secs(60),
        has_token: true,
        retry_unknown: false,
        jitter: 0.0,
    };
    const NOT_SENT: Failure = Failure::NotSent { next_region: false };

    fn after(safety: RetrySafety, attempt: u32, failure: Failure) -> Decision {
        decide(safety, attempt, failure, None, Duration::ZERO, &FULL)
    }

    #[test]
    fn retries_after_the_first_attempt() {
        let first = Wait(Duration::from_millis(200));
        #[rustfmt::skip]
        let table = [
            //            not sent throttled unknown not found final
            (Read,       [first,   first,    first,  Stop,     Stop]),
            (Lookup,     [first,   first,    Stop,   Stop,     Stop]),
            (Create,     [first,   first,    Stop,   first,    Stop]),
            (Idempotent, [first,   first,    first,  Stop,     Stop]),
            (Append,     [first,   first,    Stop,   Stop,     Stop]),
            (Cancel,     [first,   first,    first,  Stop,     Stop]),
            (Verify,     [first,   first,    Stop,   Stop,     Stop]),
            (Send,       [first,   first,    Stop,   Stop,     Stop]),
        ];
        let failures = [NOT_SENT, Failure::Throttled, Failure::Unknown, Failure::NotFound, Failure::Final];
        for (safety, row) in table {
            for (failure, expected) in failures.into_iter().zip(row) {
                assert_eq!(after(safety, 1, failure), expected, "{safety:?} {failure:?}");
            }
        }
    }

    #[test]
    fn the_third_attempt_is_the_last() {
        for safety in ALL {
            assert_eq!(after(safety, 3, NOT_SENT), Stop, "{safety:?}");
            assert_eq!(after(safety, 3, Failure::Throttled), Stop, "{safety:?}");
        }
    }

    #[test]
    fn the_wait_grows_and_stays_within_its_bounds() {
        let many = |jitter| Allowance { attempts: 99, jitter, ..FULL };
        let wait = |attempt, jitter| decide(Read, attempt, NOT_SENT, None, Duration::ZERO, &many(jitter));
        assert_eq!(wait(1, 1.0), Wait(Duration::from_millis(600)));
        assert_eq!(wait(2, 1.0), Wait(Duration::from_millis(1800)));
        assert_eq!(wait(3, 1.0), Wait(Duration::from_secs(5)));
        assert_eq!(wait(60, 1.0), Wait(Duration::from_secs(5)));
        assert_eq!(wait(60, 0.0), Wait(Duration::from_millis(200)));
        assert_eq!(wait(2, 0.5), Wait(Duration::from_secs(1)));
    }

    #[test]
    fn a_retry_after_of_at_most_a_minute_is_respected_and_never_shortens_the_backoff() {
        let after = |wait: Duration| {
            let long = Allowance { deadline: Duration::from_secs(600), ..FULL };
            decide(Send, 1, Failure::Throttled, Some(wait), Duration::ZERO, &long)
        };
        assert_eq!(after(Duration::from_millis(1)), Wait(Duration::from_millis(200)));
        assert_eq!(after(Duration::from_secs(7)), Wait(Duration::from_secs(7)));
        assert_eq!(after(Duration::from_secs(60)), Wait(Duration::from_secs(60)));
        assert_eq!(after(Duration::from_secs(61)), Stop);
    }

    #[test]
    fn no_wait_goes_beyond_the_deadline() {
        let at = |elapsed| {
            let wait = Some(Duration::from_secs(10));
            decide(Send, 1, Failure::Throttled, wait, Duration::from_secs(elapsed), &FULL)
        };
        assert_eq!(at(49), Wait(Duration::from_secs(10)));
        assert_eq!(at(50), Stop);
        assert_eq!(decide(Read, 1, NOT_SENT, None, Duration::from_secs(60), &FULL), Stop);
    }

    #[test]
    fn an_empty_budget_allows_only_retries_with_a_retry_after() {
        let empty = Allowance { has_token: false, ..FULL };
        assert_eq!(decide(Send, 1, NOT_SENT, None, Duration::ZERO, &empty), Stop);
        assert_eq!(decide(Send, 1, Failure::Throttled, None, Duration::ZERO, &empty), Stop);
        let wait = Duration::from_secs(1);
        assert_eq!(decide(Send, 1, Failure::Throttled, Some(wait), Duration::ZERO, &empty), Wait(wait));
    }

    #[test]
    fn the_next_region_is_tried_at_once() {
        assert_eq!(after(Send, 1, Failure::NotSent { next_region: true }), Wait(Duration::ZERO));
    }

    #[test]
    fn a_caller_may_opt_in_to_sending_twice() {
        let opted = Allowance { retry_unknown: true, ..FULL };
        for safety in ALL {
            let decision = decide(safety, 2, Failure::Unknown, None, Duration::ZERO, &opted);
            assert!(matches!(decision, Wait(_)), "{safety:?}");
        }
        assert_eq!(decide(Send, 1, Failure::Final, None, Duration::ZERO, &opted), Stop);
    }
}
