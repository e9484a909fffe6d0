//! A clock that the test moves, and that cannot wait.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use cpaas::clock::{BoxFuture, Clock, NoEntropy};

/// The start of the Unix time: 2023-11-14 22:13:20 UTC.
const UNIX_START: Duration = Duration::from_secs(1_700_000_000);

/// Its random bytes are zeros, so each wait between attempts is the shortest one.
#[derive(Clone)]
pub(crate) struct ManualClock(Arc<Mutex<State>>);

struct State {
    monotonic: Duration,
    /// The time that has really passed since the start.
    passed: Duration,
}

impl ManualClock {
    pub(crate) fn new() -> Self {
        let monotonic = Duration::from_secs(36_000);
        Self(Arc::new(Mutex::new(State { monotonic, passed: Duration::ZERO })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(crate) fn advance(&self, by: Duration) {
        let mut state = self.state();
        state.monotonic += by;
        state.passed += by;
    }

    /// Sets only the monotonic time back.
    pub(crate) fn go_back(&self, by: Duration) {
        let mut state = self.state();
        state.monotonic = state.monotonic.saturating_sub(by);
    }

    pub(crate) fn passed(&self) -> Duration {
        self.state().passed
    }
}

impl Clock for ManualClock {
    fn monotonic(&self) -> Duration {
        self.state().monotonic
    }

    fn unix_time(&self) -> Duration {
        UNIX_START + self.passed()
    }

    fn sleep(&self, _duration: Duration) -> Option<BoxFuture<'_, ()>> {
        panic!("a call that runs step by step asked its clock to wait");
    }

    fn fill_random(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        bytes.fill(0);
        Ok(())
    }
}
