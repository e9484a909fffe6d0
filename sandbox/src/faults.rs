//! Faults: seeded rules by operation, recipient, nth call or probability, and the header for a fault of one request.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ordered_json::{Item, Object};
use crate::query_string;
use crate::random::Random;

macro_rules! kinds {
    ($( $variant:ident = $name:literal ),* $(,)?) => {
        /// The kind of a fault.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub(crate) enum Kind {
            $( #[doc = concat!("`", $name, "`")] #[serde(rename = $name)] $variant, )*
        }

        impl Kind {
            /// Every kind.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its name in the control API.
            pub(crate) const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )* }
            }
        }
    };
}

kinds! {
    Status = "status",
    Latency = "latency",
    Hang = "hang",
    ResetBeforeRead = "reset-before-read",
    ResetAfterRead = "reset-after-read",
    CloseBeforeRead = "close-before-read",
    CloseAfterRead = "close-after-read",
    TruncatedHead = "truncated-head",
    TruncatedBody = "truncated-body",
    Garbage = "garbage",
    SlowDrip = "slow-drip",
    AcceptThen5xx = "accept-then-5xx",
    AcceptThen503RetryAfter = "accept-then-503-retry-after",
    AcceptThen429 = "accept-then-429",
    Gateway = "gateway",
    AcceptThenGateway = "accept-then-gateway",
    AnswerEarly = "answer-early",
    AnswerEarlyThenAccept = "answer-early-then-accept",
    DuplicateAnswer = "duplicate-answer",
}

impl Kind {
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Whether the request is processed but the caller receives a gateway's response.
    pub(crate) fn has_gateway_response(self) -> bool {
        matches!(
            self,
            Self::AcceptThen5xx
                | Self::AcceptThen503RetryAfter
                | Self::AcceptThen429
                | Self::AcceptThenGateway
                | Self::AnswerEarlyThenAccept
        )
    }
}

/// A gateway whose response the caller receives instead of the provider's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Gateway {
    Nginx,
    Varnish,
    Envoy,
    Grpc,
    Aws,
}

impl Gateway {
    fn find(name: &str) -> Option<Self> {
        serde_json::from_value(name.into()).ok()
    }
}

/// The requests that a rule applies to; an absent member matches all.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Match {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) op: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) account: Option<String>,
}

/// A rule as the control API accepts and shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    #[serde(default, rename = "match")]
    pub(crate) matches: Match,
    pub(crate) kind: Kind,
    /// Only the nth matching request, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) nth: Option<u64>,
    /// The share of matching requests, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) probability: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<u64>,
    /// The number of hits, or the length of time, after which the rule ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expires: Option<Expires>,
    /// The HTTP status of `status` and of a gateway's response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    /// The duration of `latency` and `hang`, and the pause between two bytes of `slow-drip`, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<u64>,
    /// The `Retry-After` header of `status` and of a gateway's response, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<u64>,
    /// The gateway whose response is imitated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) gateway: Option<Gateway>,
    /// The body of a gateway's response, in place of its usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
}

/// When a rule ends.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Expires {
    /// After this many hits.
    Hits(u64),
    /// After this length of time on the account's clock, such as `10m`.
    After(String),
}

struct Active {
    rule: Rule,
    random: Random,
    seen: u64,
    hits: u64,
    until: Option<u64>,
}

/// A fault that happens to one request.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    pub(crate) status: Option<u16>,
    pub(crate) pause: Option<Duration>,
    pub(crate) retry_after: Option<u64>,
    pub(crate) gateway: Option<Gateway>,
    pub(crate) body: Option<String>,
}

/// The maximum size of a gateway's response body, in bytes.
const MAX_BODY: usize = 65_536;

#[derive(Default)]
pub(crate) struct Faults {
    rules: Vec<Active>,
}

impl Faults {
    /// Adds rules after those that exist.
    pub(crate) fn add(&mut self, rules: Vec<CheckedRule>, now: u64, random: &mut Random) {
        let active = |CheckedRule { rule, seeded, duration }| Active {
            rule,
            random: seeded.unwrap_or_else(|| random.child()),
            seen: 0,
            hits: 0,
            until: duration.map(|length: u64| now.saturating_add(length)),
        };
        self.rules.extend(rules.into_iter().map(active));
    }

    pub(crate) fn rules(&self) -> impl Iterator<Item = (&Rule, u64, u64)> {
        self.rules.iter().map(|active| (&active.rule, active.seen, active.hits))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The fault of a request. `to` is `None` before its body is read: then only rules without a recipient apply.
    /// Afterwards only rules with a recipient apply.
    pub(crate) fn pick(&mut self, op: &str, to: Option<&[&str]>, now: u64) -> Option<Fault> {
        self.rules.iter_mut().find_map(|active| active.hit(op, to, now))
    }
}

/// A validated rule.
pub(crate) struct CheckedRule {
    rule: Rule,
    seeded: Option<Random>,
    duration: Option<u64>,
}

impl Rule {
    /// # Errors
    /// The pointer of the invalid member within the rule, and what it must be.
    pub(crate) fn checked(self) -> Result<CheckedRule, (&'static str, String)> {
        let invalid = |member: &'static str, text: &str| Err((member, text.to_owned()));
        if self.matches.op.as_deref().is_some_and(|op| cpaas::OperationId::find(op).is_none()) {
            return invalid("/match/op", "`match.op` must be the name of an operation");
        }
        if self.nth == Some(0) {
            return invalid("/nth", "`nth` must be 1 or greater");
        }
        if self.probability.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
            return invalid("/probability", "`probability` must be between 0 and 1");
        }
        if self.status.is_some_and(|status| !(100..=999).contains(&status)) {
            return invalid("/status", "`status` must be between 100 and 999");
        }
        if self.body.as_ref().is_some_and(|body| body.len() > MAX_BODY) {
            return invalid("/body", &format!("`body` must have at most {MAX_BODY} bytes"));
        }
        let duration = match &self.expires {
            Some(Expires::After(length)) => match crate::time_text::parse_length(length) {
                None => return invalid("/expires", "`expires` must be a number of hits or a length of time"),
                length => length,
            },
            _ => None,
        };
        let seeded = self.seed.map(|seed| Random::new(Some(seed))).transpose();
        Ok(CheckedRule {
            seeded: seeded.map_err(|error| ("/seed", error.to_string()))?,
            rule: self,
            duration,
        })
    }
}

impl Active {
    fn hit(&mut self, op: &str, to: Option<&[&str]>, now: u64) -> Option<Fault> {
        let matches = &self.rule.matches;
        let applies = matches.op.as_deref().is_none_or(|name| name == op)
            && match (&matches.to, to) {
                (None, None) => true,
                (Some(wanted), Some(given)) => given.contains(&wanted.as_str()),
                _ => false,
            };
        let spent = matches!(self.rule.expires, Some(Expires::Hits(limit)) if self.hits >= limit);
        if !applies || spent || self.until.is_some_and(|until| now >= until) {
            return None;
        }
        self.seen += 1;
        let drawn = self.rule.probability.is_none_or(|share| self.random.unit() < share);
        if !drawn || self.rule.nth.is_some_and(|nth| nth != self.seen) {
            return None;
        }
        self.hits += 1;
        Some(Fault {
            kind: self.rule.kind,
            status: self.rule.status,
            pause: self.rule.ms.map(Duration::from_millis),
            retry_after: self.rule.retry_after,
            gateway: self.rule.gateway,
            body: self.rule.body.clone(),
        })
    }
}

impl Fault {
    /// From the header `X-Sandbox-Fault: kind; status=503; ms=50; retry-after=1; gateway=aws; body=…`; the body extends to the end of the header.
    ///
    /// # Errors
    /// What the invalid part of the header must be.
    pub(crate) fn header(text: &str) -> Result<Self, &'static str> {
        let (text, body) = match text.split_once("; body=") {
            Some((text, body)) => (text, Some(body.to_owned())),
            None => (text, None),
        };
        let mut parts = text.split(';').map(str::trim);
        let kind = parts.next().and_then(Kind::find).ok_or("must begin with a kind of fault")?;
        let mut fault = Self { kind, status: None, pause: None, retry_after: None, gateway: None, body };
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let number = value.parse::<u64>().ok();
            match name {
                "status" => {
                    let status = number.and_then(|status| u16::try_from(status).ok());
                    let status = status.filter(|status| (100..=999).contains(status));
                    fault.status = Some(status.ok_or("`status` must be between 100 and 999")?);
                }
                "ms" => {
                    let ms = number.ok_or("`ms` must be a number of milliseconds")?;
                    fault.pause = Some(Duration::from_millis(ms));
                }
                "retry-after" => {
                    fault.retry_after = Some(number.ok_or("`retry-after` must be a number of seconds")?);
                }
                "gateway" => {
                    let gateway = Gateway::find(value);
                    fault.gateway =
                        Some(gateway.ok_or("`gateway` must be nginx, varnish, envoy, grpc or aws")?);
                }
                _ => return Err("parameters must be `status`, `ms`, `retry-after`, `gateway` or `body`"),
            }
        }
        Ok(fault)
    }
}

/// The recipients that a request names, for rules by recipient.
pub(crate) fn recipients(body: &[u8], query: &str) -> Vec<String> {
    let mut found: Vec<String> =
        query_string::get(query, "msisdn").iter().flat_map(|list| split(list)).collect();
    let Ok(object) = Object::parse(body) else { return found };
    for name in ["to", "To", "destination", "destinations", "msisdn"] {
        match object.get(name) {
            Some(Item::Text(list)) => found.extend(split(list)),
            Some(Item::Deep(serde_json::Value::Array(list))) => {
                found.extend(list.iter().filter_map(|one| one.as_str()).map(str::to_owned));
            }
            _ => {}
        }
    }
    found
}

fn split(list: &str) -> impl Iterator<Item = String> {
    list.split(',').map(|one| one.trim().trim_start_matches('+').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_fault_header_names_its_invalid_part() {
        for (header, expected) in [
            ("", "must begin with a kind of fault"),
            ("none; status=503", "must begin with a kind of fault"),
            ("status; status=50", "`status` must be between 100 and 999"),
            ("status; status", "`status` must be between 100 and 999"),
            ("latency; ms=fast", "`ms` must be a number of milliseconds"),
            ("status; retry-after=-1", "`retry-after` must be a number of seconds"),
            ("gateway; gateway=iis", "`gateway` must be nginx, varnish, envoy, grpc or aws"),
            ("status; code=1", "parameters must be `status`, `ms`, `retry-after`, `gateway` or `body`"),
        ] {
            assert_eq!(Fault::header(header).err(), Some(expected), "{header}");
        }
        let fault = Fault::header("status; status=503; ms=5; retry-after=1; gateway=aws; body=a; b").ok();
        assert_eq!(fault.and_then(|fault| fault.body).as_deref(), Some("a; b"));
    }
}
