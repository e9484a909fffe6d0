//! Shared by the tests.

pub(crate) mod cpu_time;
#[cfg(feature = "call")]
pub(crate) mod manual_clock;
pub(crate) mod reference_counter;
