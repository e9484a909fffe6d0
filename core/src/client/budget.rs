use std::sync::atomic::{AtomicU32, Ordering};

/// Tokens in tenths: every retry takes one token, every accepted call gives a tenth back.
const FULL: u32 = 500;
const TOKEN: u32 = 10;

/// A bucket of tokens for retries, shared by the clones of a client: when the provider is down,
/// retries end after fifty and then follow a tenth of what succeeds.
#[derive(Debug)]
pub(crate) struct Budget(AtomicU32);

impl Default for Budget {
    fn default() -> Self {
        Self(AtomicU32::new(FULL))
    }
}

impl Budget {
    /// Whether a token is left.
    pub(crate) fn has_token(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= TOKEN
    }

    /// Takes a token; false when none was left.
    pub(crate) fn take(&self) -> bool {
        let taken =
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tenths| tenths.checked_sub(TOKEN));
        taken.is_ok()
    }

    /// Gives back a tenth of a token. A full bucket is only read.
    pub(crate) fn refill(&self) {
        if self.0.load(Ordering::Relaxed) < FULL {
            let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tenths| {
                (tenths < FULL).then_some(tenths + 1)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifty_retries_then_a_tenth_of_the_successes() {
        let budget = Budget::default();
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
    fn it_never_holds_more_than_it_began_with() {
        let budget = Budget::default();
        (0..1000).for_each(|_| budget.refill());
        assert_eq!((0..60).filter(|_| budget.take()).count(), 50);
    }
}
