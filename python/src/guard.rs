//! The guard against pumping.

#[cfg(feature = "campaign")]
use std::sync::Arc;
use std::time::Duration;

use cpaas::guard::{Guard, GuardSettings};
#[cfg(feature = "campaign")]
use cpaas_campaign::SqlGuardStore;
use pyo3::prelude::*;

use crate::argument_errors::bad_value;
#[cfg(feature = "campaign")]
use crate::arguments::text;

/// A guard with its counters. Clients with the same guard share them.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct NativeGuard {
    pub(crate) guard: Guard,
    /// The place of the database; `None` for counters in memory.
    place: Option<String>,
}

#[pymethods]
impl NativeGuard {
    #[new]
    #[pyo3(signature = (recipient_limits, counts, times, min_conversion, flags, store=None, /))]
    fn new(
        recipient_limits: Vec<(usize, f64)>,
        counts: (usize, usize, usize, usize, usize),
        times: (f64, f64, f64),
        min_conversion: f64,
        flags: (bool, bool),
        store: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut settings = GuardSettings::default();
        settings.recipient_limits = recipient_limits
            .into_iter()
            .map(|(max, window)| Ok((max, seconds(window)?)))
            .collect::<PyResult<_>>()?;
        (settings.max_sequence, settings.max_range, settings.max_prefix) = (counts.0, counts.1, counts.2);
        (settings.max_country, settings.min_passcodes) = (counts.3, counts.4);
        (settings.window, settings.conversion_window, settings.grace) =
            (seconds(times.0)?, seconds(times.1)?, seconds(times.2)?);
        settings.min_conversion = min_conversion;
        (settings.includes_sms, settings.sends_without_store) = flags;
        let Some(store) = store else {
            return Ok(Self {
                guard: Guard::new(settings).map_err(|error| bad_value(error.message.clone()))?,
                place: None,
            });
        };
        Self::with_store(settings, store)
    }

    #[getter]
    fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }
}

impl NativeGuard {
    #[cfg(feature = "campaign")]
    fn with_store(settings: GuardSettings, store: &Bound<'_, PyAny>) -> PyResult<Self> {
        let address = text("store", store)?.to_owned();
        let opened = store.py().detach(|| SqlGuardStore::open(&address));
        let store = opened.map_err(|error| bad_value(error.to_string()))?;
        let place = Some(store.place().to_owned());
        Ok(Self {
            guard: Guard::with_store(settings, Arc::new(store))
                .map_err(|error| bad_value(error.message.clone()))?,
            place,
        })
    }

    /// `cpaas.Guard` refuses a store before.
    #[cfg(not(feature = "campaign"))]
    fn with_store(_: GuardSettings, _: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(bad_value("store must be None"))
    }
}

fn seconds(value: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(value)
        .map_err(|_| bad_value("a window must be a number of seconds greater than 0"))
}
