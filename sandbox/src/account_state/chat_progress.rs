//! The progress of chat messages: their scheduled statuses, failovers and sessions.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::assumptions::AssumptionSet;
use crate::bounded_log::MemorySize;
use crate::ledger::SendOperation;
use crate::message::Status;
use crate::random::Id;
use crate::traceparent::Traceparent;

/// A scheduled status: milliseconds after acceptance, status and error code.
pub(crate) type Step = (u64, Status, i64);

/// The statuses that a message has not reached yet.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    pub(crate) steps: VecDeque<Step>,
    /// The failover that the message belongs to.
    pub(crate) failover: Option<u64>,
}

/// A message with several channels.
#[derive(Debug)]
pub(crate) struct Failover {
    pub(crate) attempts: Vec<ChannelAttempt>,
    pub(crate) to: String,
    pub(crate) operation: SendOperation,
    pub(crate) body: u64,
    pub(crate) bulk: Option<String>,
    pub(crate) traceparent: Option<Traceparent>,
    pub(crate) timeout: u64,
    pub(crate) current: usize,
    /// The running number of the message over the current channel.
    pub(crate) message: u64,
    pub(crate) delivered: bool,
    pub(crate) assumptions: AssumptionSet,
    pub(crate) pause: u64,
}

impl Failover {
    /// The failover as its messages show it, with the number of the current channel.
    pub(crate) fn show(&self) -> Value {
        json!({
            "id": self.attempts.first().map(|one| one.id.to_string()),
            "step": self.current + 1,
            "channels": self.attempts.iter().map(|one| one.channel).collect::<Vec<_>>(),
            "timeout": self.timeout / 1_000,
        })
    }
}

impl MemorySize for Failover {
    fn memory_size(&self) -> usize {
        let attempts =
            self.attempts.iter().map(|one| size_of::<ChannelAttempt>() + one.content.memory_size());
        size_of::<Self>() + self.to.capacity() + attempts.sum::<usize>()
    }
}

/// One channel of a failover.
#[derive(Debug)]
pub(crate) struct ChannelAttempt {
    pub(crate) channel: &'static str,
    pub(crate) content: Value,
    pub(crate) id: Id,
}

/// A session of `messenger_b` with one user.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Session {
    pub(crate) number: u32,
    pub(crate) started: u64,
    pub(crate) sent: u32,
    pub(crate) unanswered: u32,
}
