use crate::macros::{model, open_enum};

open_enum! {
    /// The kind of a failover; the specification shows one.
    pub enum FailoverType {
        /// Moves on when a status is not reached in time.
        Timeout = "Timeout",
    }
}

open_enum! {
    /// The status that stops a timeout failover; the specification shows one.
    pub enum FailoverStatus {
        /// `Delivered`
        Delivered = "Delivered",
    }
}

model! {
    /// How a message moves to the next channel (D5).
    pub struct Failover {
        optional {
            /// The kind of failover.
            kind: FailoverType = "type",
            /// The timeout.
            timeout_failover: TimeoutFailover = "timeoutFailover",
        }
    }
}

model! {
    /// A timeout failover (D5).
    pub struct TimeoutFailover {
        optional {
            /// Whole seconds until the next channel is tried.
            timeout_in_seconds: i64 = "timeoutInSeconds" ! FAILOVER_TIMEOUT_SECONDS,
            /// The status that must be reached in time.
            status: FailoverStatus = "status",
            /// The traffic account of each channel, in order; UUIDs.
            traffic_accounts: Vec<String> = "trafficAccounts",
        }
    }
}

impl Failover {
    /// A timeout failover as the specification shows it: the next channel after `seconds` without `Delivered`.
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
        *self == Self::default()
    }
}
