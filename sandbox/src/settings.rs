//! The settings of an account, and its rate limit.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::options::{Network, Options, Rate};

/// The target and the form of an account's delivery reports.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Callback {
    pub(crate) url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) method: Option<String>,
    /// GET: the query to append. POST: the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) template: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) content_type: Option<String>,
}

impl Callback {
    pub(crate) fn posts(&self) -> bool {
        self.method.as_deref().is_some_and(|method| method.eq_ignore_ascii_case("POST"))
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    pub(crate) callback: Option<Callback>,
    pub(crate) chat_callback: Option<String>,
    pub(crate) inbound_callback: Option<String>,
    pub(crate) allow_ip: Vec<Network>,
    pub(crate) two_way: Vec<String>,
    pub(crate) conversion: bool,
    pub(crate) duplicate_reports: bool,
    pub(crate) reorder_reports: bool,
    pub(crate) parent: Option<String>,
}

impl Settings {
    pub(crate) fn new(options: &Options) -> Self {
        Self { allow_ip: options.allow_ip.clone(), conversion: options.conversion, ..Self::default() }
    }
}

/// The rate limit of `--rate` (D50): at most N requests in any window.
#[derive(Debug, Default)]
pub(crate) struct RateWindow(VecDeque<u64>);

impl RateWindow {
    /// Counts a request. Returns the wait in milliseconds if the limit is reached.
    pub(crate) fn hit(&mut self, rate: Option<Rate>, now: u64) -> Option<u64> {
        let rate = rate?;
        while self.0.front().is_some_and(|first| first + rate.window <= now) {
            self.0.pop_front();
        }
        match self.0.front() {
            Some(first) if self.0.len() >= rate.count as usize => Some(first + rate.window - now),
            _ => {
                self.0.push_back(now);
                None
            }
        }
    }
}
