//! The budget of retries.

use std::sync::atomic::{AtomicU32, Ordering};

/// In tenths of a token: each retry uses one token, each accepted call returns a tenth.
const CAPACITY: u32 = 500;
const TOKEN: u32 = 10;

/// A token bucket for retries, shared by the clones of a client. If the provider is down, retries stop after fifty; from then
/// on there is one retry for ten accepted calls.
#[derive(Debug)]
pub(crate) struct RetryBudget(AtomicU32);

impl Default for RetryBudget {
    fn default() -> Self {
        Self(AtomicU32::new(CAPACITY))
    }
}

impl RetryBudget {
    /// Whether a token is left.
    pub(crate) fn has_token(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= TOKEN
    }

    /// Takes a token; returns false if none is left.
    pub(crate) fn take(&self) -> bool {
        let taken =
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tenths| tenths.checked_sub(TOKEN));
        taken.is_ok()
    }

    /// Returns a tenth of a token. A full bucket is only read, so that calls on several threads do not contend.
    pub(crate) fn refill(&self) {
        if self.0.load(Ordering::Relaxed) < CAPACITY {
            let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tenths| {
                (tenths < CAPACITY).then_some(tenths + 1)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_allows_fifty_retries_then_one_for_ten_accepted_calls() {
        let budget = RetryBudget::default();
        assert_eq!((0..60).filter(|_| budget.take()).count(), 50);
        assert!(!budget.has_token());
        (0..9).for_each(|_| budget.refill());
        assert!(!budget.take());
        budget.refill();
        assert!(budget.has_token());
        assert!(budget.take());
        assert!(!budget.take());
    }

    #[test]
    fn the_budget_never_exceeds_its_capacity() {
        let budget = RetryBudget::default();
        (0..1000).for_each(|_| budget.refill());
        assert_eq!((0..60).filter(|_| budget.take()).count(), 50);
    }
}
