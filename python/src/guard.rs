//! The guard against pumping.

use std::time::Duration;

use cpaas::guard::{Guard, GuardSettings};
use pyo3::prelude::*;

use crate::argument_errors::bad_value;

/// A guard with its counters. Clients with the same guard share them.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct NativeGuard {
    pub(crate) guard: Guard,
}

#[pymethods]
impl NativeGuard {
    #[new]
    #[pyo3(signature = (recipient_limits, counts, times, min_conversion, includes_sms, /))]
    fn new(
        recipient_limits: Vec<(usize, f64)>,
        counts: (usize, usize, usize, usize),
        times: (f64, f64, f64),
        min_conversion: f64,
        includes_sms: bool,
    ) -> PyResult<Self> {
        let mut settings = GuardSettings::default();
        settings.recipient_limits = recipient_limits
            .into_iter()
            .map(|(max, window)| Ok((max, seconds(window)?)))
            .collect::<PyResult<_>>()?;
        (settings.max_sequence, settings.max_range, settings.max_prefix, settings.min_passcodes) = counts;
        (settings.window, settings.conversion_window, settings.grace) =
            (seconds(times.0)?, seconds(times.1)?, seconds(times.2)?);
        settings.min_conversion = min_conversion;
        settings.includes_sms = includes_sms;
        let guard = Guard::new(settings).map_err(|error| bad_value(error.message.clone()))?;
        Ok(Self { guard })
    }
}

fn seconds(value: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(value)
        .map_err(|_| bad_value("a window must be a number of seconds greater than 0"))
}
