//! Limits and their counters (D14).

use std::collections::{HashMap, VecDeque};

use serde_json::{Value, json};

use super::fields::refuse;
use crate::assumptions::D;
use crate::call::Call;
use crate::ledger::fnv;
use crate::provider_error::{Outcome, ProviderError};

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
    /// As it was given.
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

/// Reads the JSON array in a string.
pub(super) fn buckets(text: &str) -> Outcome<Vec<Bucket>> {
    let bad = |text: &str| refuse("buckets", text);
    let list: Vec<Value> = serde_json::from_str(text).map_err(|_| bad("is not a JSON array in a string"))?;
    if list.is_empty() {
        return Err(bad("holds no bucket"));
    }
    list.iter()
        .enumerate()
        .map(|(place, bucket)| {
            let member = |name: &str| {
                let text = bucket.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
                text.ok_or_else(|| bad(&format!("[{place}].{name} is required, a string")))
            };
            let number = |name: &str| {
                let number = member(name)?.parse().ok().filter(|number| (1..=1_000_000_000).contains(number));
                number.ok_or_else(|| bad(&format!("[{place}].{name} is not a whole number above 0")))
            };
            member("name")?;
            Ok(Bucket { max: number("max")?, interval: 1_000 * number("interval")? })
        })
        .collect()
}

/// A value as its counter keeps it: a long one as a hash.
fn short(value: &str) -> String {
    if value.len() <= 256 { value.to_owned() } else { format!("fnv:{:016x}", fnv(value.as_bytes())) }
}

#[derive(Debug, Default)]
pub(crate) struct Limits {
    pub(crate) list: Vec<Limit>,
    /// Accepted sends by limit and value, oldest first.
    used: HashMap<(String, String), VecDeque<u64>>,
}

/// A limit that a send is applied to, with the value.
pub(crate) struct Cap {
    sid: String,
    value: String,
    buckets: Vec<Bucket>,
}

impl Limits {
    pub(crate) fn find(&self, sid: &str) -> Option<&Limit> {
        self.list.iter().find(|limit| limit.sid == sid)
    }

    pub(crate) fn remove(&mut self, sid: &str) -> Option<Limit> {
        let place = self.list.iter().position(|limit| limit.sid == sid)?;
        self.used.retain(|(limit, _), _| limit != sid);
        Some(self.list.remove(place))
    }

    /// The limits that a send names; an unknown name is refused or ignored (D16).
    pub(super) fn resolve(&self, call: &mut Call<'_>, wanted: &[(String, String)]) -> Outcome<Vec<Cap>> {
        let mut caps = Vec::with_capacity(wanted.len());
        for (name, value) in wanted {
            match self.list.iter().find(|limit| limit.name == *name) {
                Some(limit) => caps.push(Cap {
                    sid: limit.sid.clone(),
                    value: value.clone(),
                    buckets: limit.buckets.clone(),
                }),
                None if call.shared.options.ignore_unknown_limit => {
                    call.rely(D(16))?;
                    call.warn(format!("unknown limit `{name}` ignored"));
                }
                None => return Err(refuse(&format!("limits.{name}"), "is no limit").leaning(D(16))),
            }
        }
        Ok(caps)
    }

    /// Counts a send against all its limits, or none when one is hit (D13).
    pub(super) fn pass(&mut self, caps: &[Cap], now: u64) -> Outcome<()> {
        let wait = caps.iter().filter_map(|cap| self.wait(cap, now)).max();
        if let Some(wait) = wait {
            let refusal = ProviderError::plain(429, "Limit reached [sandbox]").leaning(D(13)).leaning(D(14));
            return Err(refusal.retry_after(wait.div_ceil(1_000)));
        }
        for cap in caps {
            let longest = cap.buckets.iter().map(|bucket| bucket.interval).max().unwrap_or_default();
            let used = self.used.entry((cap.sid.clone(), short(&cap.value))).or_default();
            while used.front().is_some_and(|first| first + longest <= now) {
                used.pop_front();
            }
            used.push_back(now);
        }
        Ok(())
    }

    fn wait(&self, cap: &Cap, now: u64) -> Option<u64> {
        let used = self.used.get(&(cap.sid.clone(), short(&cap.value)))?;
        cap.buckets
            .iter()
            .filter_map(|bucket| {
                let inside = used.iter().filter(|at| **at + bucket.interval > now).count() as u64;
                if inside < bucket.max {
                    return None;
                }
                let leaves = usize::try_from(inside - bucket.max).unwrap_or_default();
                let oldest = used.iter().filter(|at| **at + bucket.interval > now).nth(leaves)?;
                Some(oldest + bucket.interval - now)
            })
            .max()
    }

    /// The counters, for the control plane.
    pub(crate) fn counters(&self, now: u64) -> Vec<Value> {
        let mut shown: Vec<Value> = Vec::new();
        for ((sid, value), used) in &self.used {
            let Some(limit) = self.find(sid) else { continue };
            for bucket in &limit.buckets {
                let inside = used.iter().filter(|at| **at + bucket.interval > now).count();
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
