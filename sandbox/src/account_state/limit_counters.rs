//! Limits and the counters of accepted sends (D14).

use std::collections::{HashMap, VecDeque};

use cpaas::member_types::NumericText;
use cpaas::otp::limits;
use serde_json::{Value, json};

use crate::assumptions::AssumptionId;
use crate::ledger::fnv;
use crate::provider_error::{ProviderError, ProviderResult};

/// At most `max` sends for one value in any `interval`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bucket {
    max: u64,
    interval: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Limit {
    pub(crate) sid: String,
    pub(crate) name: String,
    /// The buckets as the request gave them.
    pub(crate) text: String,
    pub(crate) buckets: Vec<Bucket>,
    pub(crate) description: String,
}

impl Limit {
    pub(crate) fn show(&self, account: &str) -> Value {
        json!({
            "sid": self.sid,
            "name": self.name,
            "buckets": self.text,
            "description": self.description,
            "accountSid": account,
            "uri": format!("/2fa/limits/search/{}", self.sid),
        })
    }
}

impl Bucket {
    pub(crate) fn of(bucket: &limits::Bucket) -> Self {
        let number = |text: &NumericText| {
            text.as_i64().and_then(|value| u64::try_from(value).ok()).unwrap_or(u64::MAX)
        };
        Self { max: number(&bucket.max), interval: number(&bucket.interval).saturating_mul(1_000) }
    }
}

/// The key of a value's counter: the value, or its hash if the value has more than 256 bytes.
fn short(value: &str) -> String {
    if value.len() <= 256 { value.to_owned() } else { format!("fnv:{:016x}", fnv(value.as_bytes())) }
}

#[derive(Debug, Default)]
pub(crate) struct Limits {
    pub(crate) list: Vec<Limit>,
    /// Accepted sends by limit and value, oldest first.
    used: HashMap<(String, String), VecDeque<u64>>,
}

/// A limit that applies to a send, with the value that it counts.
pub(crate) struct AppliedLimit {
    sid: String,
    value: String,
    buckets: Vec<Bucket>,
}

impl Limits {
    pub(crate) fn find(&self, sid: &str) -> Option<&Limit> {
        self.list.iter().find(|limit| limit.sid == sid)
    }

    pub(crate) fn remove(&mut self, sid: &str) -> Option<Limit> {
        let index = self.list.iter().position(|limit| limit.sid == sid)?;
        self.used.retain(|(limit, _), _| limit != sid);
        Some(self.list.remove(index))
    }

    /// The limit with this name, applied to a value.
    pub(crate) fn applied_limit(&self, name: &str, value: &str) -> Option<AppliedLimit> {
        let limit = self.list.iter().find(|limit| limit.name == name)?;
        Some(AppliedLimit { sid: limit.sid.clone(), value: value.to_owned(), buckets: limit.buckets.clone() })
    }

    /// Counts a send against all its limits, or against none if one is reached (D13).
    pub(crate) fn pass(&mut self, applied: &[AppliedLimit], now: u64) -> ProviderResult<()> {
        let wait = applied.iter().filter_map(|applied_limit| self.wait(applied_limit, now)).max();
        if let Some(wait) = wait {
            let rejection = ProviderError::plain(429, "Limit reached [sandbox]")
                .assuming(AssumptionId(13))
                .assuming(AssumptionId(14));
            return Err(rejection.retry_after(wait.div_ceil(1_000)));
        }
        for applied_limit in applied {
            let longest =
                applied_limit.buckets.iter().map(|bucket| bucket.interval).max().unwrap_or_default();
            let used = self.used.entry((applied_limit.sid.clone(), short(&applied_limit.value))).or_default();
            while used.front().is_some_and(|first| first.saturating_add(longest) <= now) {
                used.pop_front();
            }
            used.push_back(now);
        }
        Ok(())
    }

    fn wait(&self, applied_limit: &AppliedLimit, now: u64) -> Option<u64> {
        let used = self.used.get(&(applied_limit.sid.clone(), short(&applied_limit.value)))?;
        applied_limit
            .buckets
            .iter()
            .filter_map(|bucket| {
                let inside = used.iter().filter(|at| at.saturating_add(bucket.interval) > now).count() as u64;
                if inside < bucket.max {
                    return None;
                }
                let leaves = usize::try_from(inside - bucket.max).unwrap_or_default();
                let oldest = used.iter().filter(|at| at.saturating_add(bucket.interval) > now).nth(leaves)?;
                Some(oldest.saturating_add(bucket.interval) - now)
            })
            .max()
    }

    /// The counters, for the control API.
    pub(crate) fn counters(&self, now: u64) -> Vec<Value> {
        let mut shown: Vec<Value> = Vec::new();
        for ((sid, value), used) in &self.used {
            let Some(limit) = self.find(sid) else { continue };
            for bucket in &limit.buckets {
                let inside = used.iter().filter(|at| at.saturating_add(bucket.interval) > now).count();
                shown.push(json!({
                    "limit": limit.name, "sid": sid, "value": value,
                    "used": inside, "max": bucket.max, "interval": bucket.interval / 1_000,
                }));
            }
        }
        shown.sort_by_key(Value::to_string);
        shown
    }
}
