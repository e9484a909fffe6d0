//! Limits: the calls that manage them (A8), and their counters (D14).

use std::collections::{HashMap, VecDeque};

use axum::response::Response;
use cpaas::otp::limits;
use cpaas::values::{NumericText, Texts};
use serde_json::{Value, json};

use super::paging::{Page, account, wrapper};
use crate::assumptions::D;
use crate::body::ok;
use crate::call::Call;
use crate::ledger::fnv;
use crate::object::Object;
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

impl Bucket {
    fn of(bucket: &limits::Bucket) -> Self {
        let number = |text: &NumericText| {
            text.as_i64().and_then(|value| u64::try_from(value).ok()).unwrap_or(u64::MAX)
        };
        Self { max: number(&bucket.max), interval: number(&bucket.interval).saturating_mul(1_000) }
    }
}

/// The buckets, and the string as which the request gave them.
fn buckets(call: &Call<'_>, list: &[limits::Bucket]) -> (String, Vec<Bucket>) {
    let given = Object::parse(call.body).ok().and_then(|body| body.text("buckets").map(str::to_owned));
    let text = given.unwrap_or_else(|| serde_json::to_string(list).unwrap_or_default());
    (text, list.iter().map(Bucket::of).collect())
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
    pub(super) fn resolve(&self, call: &mut Call<'_>, requested: &Texts) -> Outcome<Vec<Cap>> {
        let mut caps = Vec::with_capacity(requested.len());
        for (name, value) in requested {
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
                None => {
                    let message = format!("`limits/{name}`: unknown limit [sandbox]");
                    return Err(ProviderError::plain(400, message).leaning(D(16)));
                }
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
            while used.front().is_some_and(|first| first.saturating_add(longest) <= now) {
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

    /// The counters, for the control plane.
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

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Create,
    Update,
    Delete,
    List,
    Get,
}

pub(crate) fn handle(call: &mut Call<'_>, order: Order) -> Outcome<Response> {
    match order {
        Order::Create => create(call),
        Order::Update => update(call),
        Order::Delete => delete(call),
        Order::List => list(call),
        Order::Get => get(call),
    }
}

fn wrap(data: &Value) -> Response {
    ok(&json!({"data": data, "code": 200, "message": "OK"}))
}

fn unknown() -> ProviderError {
    ProviderError::plain(493, "Invalid Limit Id")
}

fn create(call: &mut Call<'_>) -> Outcome<Response> {
    let request: limits::Create = call.request()?;
    let (text, buckets) = buckets(call, &request.buckets);
    let mut state = call.account.state();
    if state.limits.list.iter().any(|limit| limit.name == request.name) {
        return Err(ProviderError::plain(492, "Limit with that Name already exists"));
    }
    let limit = Limit {
        sid: state.random.sid("LM"),
        name: request.name,
        text,
        buckets,
        description: request.description,
    };
    let shown = limit.show(call.account.sid());
    state.limits.list.push(limit);
    Ok(wrap(&shown))
}

fn update(call: &mut Call<'_>) -> Outcome<Response> {
    let request: limits::Update = call.request()?;
    if request.buckets.is_none() || request.description.is_none() {
        call.rely(D(17))?;
    }
    let mut state = call.account.state();
    let sid = call.route.param("sid");
    let limit = state.limits.list.iter_mut().find(|limit| limit.sid == sid).ok_or_else(unknown)?;
    if let Some(list) = request.buckets {
        (limit.text, limit.buckets) = buckets(call, &list);
    }
    if let Some(description) = request.description {
        limit.description = description;
    }
    Ok(wrap(&limit.show(call.account.sid())))
}

fn delete(call: &mut Call<'_>) -> Outcome<Response> {
    let mut state = call.account.state();
    let limit = state.limits.remove(call.route.param("sid")).ok_or_else(unknown)?;
    Ok(wrap(&limit.show(call.account.sid())))
}

fn get(call: &mut Call<'_>) -> Outcome<Response> {
    let state = call.account.state();
    let limit = state.limits.find(call.route.param("sid")).ok_or_else(|| unknown().leaning(D(3)))?;
    Ok(wrap(&limit.show(call.account.sid())))
}

fn list(call: &mut Call<'_>) -> Outcome<Response> {
    let request: limits::List = call.request()?;
    let page = Page::of(call, request.page_size, request.page)?;
    let account = account(call, request.account_sid.as_deref())?;
    call.note(D(21));
    let state = account.state();
    let list = &state.limits.list;
    let skip = usize::try_from(page.start()).unwrap_or(usize::MAX);
    let take = usize::try_from(page.size).unwrap_or(usize::MAX);
    let shown = list.iter().skip(skip).take(take).map(|limit| limit.show(account.sid())).collect();
    Ok(ok(&wrapper(page, "/2fa/limits/search", account.sid(), list.len() as u64, shown)))
}
