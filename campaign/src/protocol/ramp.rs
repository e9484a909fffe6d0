//! The number of rows of the next permit.

/// The maximum number of rows of a permit that a worker claims, and of rows that a worker has claimed but not begun to send. So after a kill,
/// at most this many unknown rows were never sent.
pub(crate) const LARGEST_PERMIT: usize = 32;
/// After this many consecutive failures of the setup the campaign halts.
const FAILURES: u32 = 3;

/// What the outcome of one row shows about the setup: keys, addresses, accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// The provider accepted the row: the setup works.
    Success,
    /// 401, 403, 404, a redirect, an unreadable response, or a missing setting of the client.
    SetupFailure,
    /// Nothing: for example, a timeout or a row that the provider rejected.
    Neutral,
}

/// The size of permits: begins at one row, doubles on success up to 32, and returns to one after a failure of the setup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ramp {
    rows: usize,
    failures: u32,
}

impl Default for Ramp {
    fn default() -> Self {
        Self { rows: 1, failures: 0 }
    }
}

impl Ramp {
    /// Rows of the next permit.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Whether permits have their full size, so that the next one may be claimed in advance.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.rows >= LARGEST_PERMIT
    }

    /// Whether the campaign must halt.
    #[must_use]
    pub const fn must_halt(&self) -> bool {
        self.failures >= FAILURES
    }

    /// Begins with one row again.
    pub const fn restart(&mut self) {
        self.rows = 1;
    }

    /// Updates the size and the number of failures after a row has ended.
    pub fn observe(&mut self, signal: Signal) {
        match signal {
            Signal::Success => self.failures = 0,
            Signal::Neutral => {}
            Signal::SetupFailure => {
                self.rows = 1;
                self.failures = self.failures.saturating_add(1);
            }
        }
    }

    /// Doubles the size. Called when all rows of a permit have ended and one of them was accepted.
    pub fn grow(&mut self) {
        if self.failures == 0 {
            self.rows = (self.rows * 2).min(LARGEST_PERMIT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_double_from_one_to_thirty_two() {
        let mut ramp = Ramp::default();
        let mut sizes = Vec::new();
        for _ in 0..7 {
            sizes.push(ramp.rows());
            ramp.observe(Signal::Success);
            ramp.grow();
        }
        assert_eq!(sizes, [1, 2, 4, 8, 16, 32, 32]);
        assert!(ramp.is_full());
    }

    #[test]
    fn a_failure_of_the_setup_resets_the_size_and_three_consecutive_failures_halt() {
        let mut ramp = Ramp { rows: 32, failures: 0 };
        ramp.observe(Signal::SetupFailure);
        ramp.grow();
        assert_eq!((ramp.rows(), ramp.must_halt()), (1, false));
        ramp.observe(Signal::SetupFailure);
        ramp.observe(Signal::Success);
        ramp.observe(Signal::SetupFailure);
        ramp.observe(Signal::Neutral);
        ramp.observe(Signal::SetupFailure);
        assert!(!ramp.must_halt());
        ramp.observe(Signal::SetupFailure);
        assert!(ramp.must_halt());
    }
}
