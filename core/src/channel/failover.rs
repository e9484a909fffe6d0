//! The failover between channels (D5).

use super::Channel;
use crate::model::{model, open_enum};
use crate::problem::{Pointer, Problems, Validate, codes};
use crate::rules::formats::is_uuid;
use crate::rules::{allowed_values, unknown_members};

open_enum! {
    /// The kind of a failover; one value is documented.
    pub enum FailoverType {
        /// Moves to the next channel if a status is not reached in time.
        Timeout = "Timeout",
    }
}

open_enum! {
    /// The status that stops a timeout failover; one value is documented.
    pub enum FailoverStatus {
        /// `Delivered`
        Delivered = "Delivered",
    }
}

model! {
    /// The failover to the next channel (D5).
    pub struct Failover {
        optional {
            /// The kind of failover.
            kind: FailoverType = "type" where Shown,
            /// The timeout.
            timeout_failover: TimeoutFailover = "timeoutFailover",
        }
    }
}

model! {
    /// A timeout failover (D5).
    pub struct TimeoutFailover {
        optional {
            /// Seconds until the next channel is tried, an integer.
            timeout_in_seconds: i64 = "timeoutInSeconds" ! FAILOVER_TIMEOUT_SECONDS where Min(1),
            /// The status that must be reached in time.
            status: FailoverStatus = "status" where Shown,
            /// The traffic account of each channel, in order; UUIDs.
            traffic_accounts: Vec<String> = "trafficAccounts",
        }
    }
}

impl Failover {
    /// The documented timeout failover: tries the next channel after `seconds` without `Delivered`.
    #[must_use]
    pub fn after_seconds(seconds: i64, accounts: impl Into<Vec<String>>) -> Self {
        Self::new().kind(FailoverType::Timeout).timeout_failover(
            TimeoutFailover::new()
                .timeout_in_seconds(seconds)
                .status(FailoverStatus::Delivered)
                .traffic_accounts(accounts),
        )
    }
}

impl Failover {
    /// Whether no member is set.
    pub(crate) fn is_empty(&self) -> bool {
        crate::json::fill_model::is_blank(self)
    }
}

impl Validate for Failover {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let is_timeout = match &self.kind {
            None => {
                problems.add_key(&codes::FAILOVER_TYPE_MISSING, at, "type");
                true
            }
            Some(FailoverType::Timeout) => true,
            Some(FailoverType::Other(kind)) => {
                let code = &codes::FAILOVER_TYPE_UNKNOWN;
                allowed_values::unknown(code, kind, FailoverType::VALUES, at, "type", problems);
                false
            }
        };
        match &self.timeout_failover {
            Some(timeout) => timeout.check(&at.key("timeoutFailover"), problems),
            None if is_timeout => problems.add_key(&codes::FAILOVER_TIMEOUT_REQUIRED, at, "timeoutFailover"),
            None => {}
        }
        unknown_members::unknown(self, at, problems);
    }
}

impl Validate for TimeoutFailover {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        if self.timeout_in_seconds.is_none_or(|seconds| seconds <= 0) {
            problems.add_key(&codes::FAILOVER_TIMEOUT_SECONDS, at, "timeoutInSeconds");
        }
        if let Some(FailoverStatus::Other(status)) = &self.status {
            let code = &codes::FAILOVER_TIMEOUT_STATUS;
            allowed_values::unknown(code, status, FailoverStatus::VALUES, at, "status", problems);
        }
        let accounts = self.traffic_accounts.as_deref().unwrap_or_default();
        let mut wrong = Vec::new();
        for (index, account) in accounts.iter().enumerate() {
            if !is_uuid(account) {
                wrong.push(index);
            }
        }
        if accounts.is_empty() || !wrong.is_empty() {
            let added = problems.report_key(&codes::FAILOVER_TIMEOUT_ACCOUNTS, at, "trafficAccounts");
            if !wrong.is_empty() {
                added.param("indices", wrong);
            }
        }
        unknown_members::unknown(self, at, problems);
    }
}

/// Whether one of the channels is `messenger_c`.
pub(crate) fn has_messenger_c(channels: &[&Channel]) -> bool {
    channels.iter().any(|channel| matches!(channel, Channel::MessengerC(_)))
}

/// Checks the rules between a failover and the channels of its envelope, in their order.
pub(crate) fn with_channels(
    failover: &Failover,
    channels: &[&Channel],
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let timeout = failover.timeout_failover.as_ref();
    let accounts = timeout.and_then(|timeout| timeout.traffic_accounts.as_ref()).map_or(0, Vec::len);
    if channels.len() < 2 || accounts > 0 && accounts != channels.len() {
        problems
            .report(&codes::FAILOVER_CHANNELS_COUNT, at)
            .param("channels", channels.len())
            .param("trafficAccounts", accounts);
    }
    let before_another = channels.split_last().map(|(_, before)| before).unwrap_or_default();
    let status = timeout.and_then(|timeout| timeout.status.as_ref());
    let waits_for_delivery = matches!(status, None | Some(FailoverStatus::Delivered));
    if waits_for_delivery && has_messenger_c(before_another) {
        problems.add_key(&codes::FAILOVER_MESSENGER_C_NEVER_DELIVERED, at, "failover");
    }
    let seconds = timeout.and_then(|timeout| timeout.timeout_in_seconds).filter(|seconds| *seconds > 0);
    let ttl = before_another.iter().find_map(|channel| match channel {
        Channel::MessengerB(message) => message.ttl,
        _ => None,
    });
    if let (Some(seconds), Some(ttl)) = (seconds, ttl)
        && ttl > seconds
    {
        problems
            .report_key(&codes::FAILOVER_TTL_OVER_TIMEOUT, &at.key("messenger_b"), "ttl")
            .limit(seconds, ttl, "seconds");
    }
}
