//! Shared by the tests.

pub(crate) mod cpu_time;
pub(crate) mod reference_counter;
