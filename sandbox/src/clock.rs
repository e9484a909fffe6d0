//! An account's clock, real or virtual; it only moves forward.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// Whether an account's clock follows real time or is virtual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ClockMode {
    /// The machine's time; it can also be moved forward.
    #[default]
    Real,
    /// The clock does not advance by itself.
    Virtual,
}

/// The start of the virtual clock of a seeded sandbox: 2026-01-01T00:00:00Z.
const SEEDED_START: u64 = 1_767_225_600_000;

/// The end of every clock: 9999-12-31T23:59:59.999Z, the last time that the text forms can show.
pub(crate) const END: u64 = 253_402_300_799_999;

#[derive(Debug, Clone)]
pub(crate) struct Clock {
    mode: ClockMode,
    /// Virtual: the time. Real: the offset from the machine's time. Both in milliseconds.
    value: u64,
}

fn machine() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

impl Clock {
    pub(crate) fn new(mode: ClockMode, seeded: bool) -> Self {
        let value = match (mode, seeded) {
            (ClockMode::Real, _) => 0,
            (ClockMode::Virtual, true) => SEEDED_START,
            (ClockMode::Virtual, false) => machine() / 1_000 * 1_000,
        };
        Self { mode, value }
    }

    pub(crate) fn mode(&self) -> ClockMode {
        self.mode
    }

    pub(crate) fn now(&self) -> u64 {
        match self.mode {
            ClockMode::Real => (machine() + self.value).min(END),
            ClockMode::Virtual => self.value,
        }
    }

    /// Moves the clock to a point in time, at most to [`END`]; a point in the past changes nothing.
    pub(crate) fn reach(&mut self, at: u64) {
        let behind = at.min(END).saturating_sub(self.now());
        self.value += behind;
    }
}
