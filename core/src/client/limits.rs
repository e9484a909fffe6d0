use std::time::Duration;

use crate::config::Config;
use crate::error::Error;

/// Times and counts of one call; all finite by default.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) attempt: Duration,
    pub(crate) deadline: Duration,
    pub(crate) attempts: u32,
}

impl Limits {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        Ok(Self {
            attempt: seconds("timeout", config.timeout, 20.0)?,
            deadline: seconds("deadline", config.deadline, 60.0)?,
            attempts: u32::try_from(config.max_attempts.unwrap_or(3))
                .ok()
                .filter(|attempts| *attempts > 0)
                .ok_or_else(|| Error::config("`max_attempts` is 1 or more"))?,
        })
    }
}

pub(crate) fn seconds(name: &str, value: Option<f64>, default: f64) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(value.unwrap_or(default))
        .ok()
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| Error::config(format!("`{name}` is a number of seconds above 0")))
}
