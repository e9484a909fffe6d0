//! The progress of chat messages: the steps before them, failovers and sessions.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::assumptions::AssumptionSet;
use crate::bounded_log::MemorySize;
use crate::ledger::SendOperation;
use crate::message::Status;
use crate::random::Id;

/// A step of a chain: the milliseconds until it, its status and its code.
pub(crate) type Step = (u64, Status, i64);

/// The steps that a message still has before it.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    pub(crate) steps: VecDeque<Step>,
    /// The failover that it is a try of.
    pub(crate) failover: Option<u64>,
}

/// The channels of one message.
#[derive(Debug)]
pub(crate) struct Failover {
    pub(crate) tries: Vec<Try>,
    pub(crate) to: String,
    pub(crate) sort: SendOperation,
    pub(crate) body: u64,
    pub(crate) bulk: Option<String>,
    pub(crate) timeout: u64,
    pub(crate) current: usize,
    /// The running number of the current try's message.
    pub(crate) message: u64,
    pub(crate) delivered: bool,
    pub(crate) assumptions: AssumptionSet,
    pub(crate) pause: u64,
}

impl Failover {
    /// What the messages of this failover have in common, and which try the current one is.
    pub(crate) fn show(&self) -> Value {
        json!({
            "id": self.tries.first().map(|one| one.id.to_string()),
            "step": self.current + 1,
            "channels": self.tries.iter().map(|one| one.channel).collect::<Vec<_>>(),
            "timeout": self.timeout / 1_000,
        })
    }
}

impl MemorySize for Failover {
    fn memory_size(&self) -> usize {
        let tries = self.tries.iter().map(|one| size_of::<Try>() + one.content.memory_size());
        size_of::<Self>() + self.to.capacity() + tries.sum::<usize>()
    }
}

/// One channel of a failover.
#[derive(Debug)]
pub(crate) struct Try {
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
