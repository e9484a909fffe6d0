//! Workflows and their runs.

use cpaas::otp::workflows::{self, StepChannel};
use serde_json::{Value, json};

use super::passcodes::PasscodeMessage;
use crate::bounded_log::MemorySize;

/// One step: a channel, and the milliseconds until the next.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) channel: &'static str,
    pub(crate) interval: u64,
    given: Value,
}

#[derive(Debug, Clone)]
pub(crate) struct Workflow {
    pub(crate) sid: String,
    pub(crate) name: String,
    pub(crate) steps: Vec<Step>,
    pub(crate) description: String,
}

impl Workflow {
    pub(crate) fn show(&self, sid: &str, email: &str) -> Value {
        json!({
            "sid": self.sid,
            "name": self.name,
            "channels": self.steps.iter().map(|step| step.given.clone()).collect::<Vec<_>>(),
            "description": self.description,
            "accountSid": sid,
            "accountEmail": email,
            "targetAccountSid": sid,
            "targetAccountEmail": email,
            "uri": format!("/2fa/workflows/search/{}", self.sid),
        })
    }
}

impl Step {
    pub(crate) fn of(step: &workflows::Step) -> Self {
        // A voice step is a passcode by call (D59).
        let channel = if step.channel == StepChannel::Voice { "call" } else { "sms" };
        let seconds = step.interval.as_i64().and_then(|value| u64::try_from(value).ok()).unwrap_or(u64::MAX);
        let given = serde_json::to_value(step).unwrap_or_default();
        Self { channel, interval: seconds.saturating_mul(1_000), given }
    }
}

/// A run of a workflow: one passcode, sent over its channels until it is verified.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) request: String,
    pub(crate) passcode: PasscodeMessage,
    pub(crate) steps: std::vec::IntoIter<Step>,
}

impl MemorySize for Run {
    fn memory_size(&self) -> usize {
        let steps = self.steps.as_slice().iter().map(|step| size_of::<Step>() + step.given.memory_size());
        let passcode =
            self.passcode.text.capacity() + self.passcode.from.capacity() + self.passcode.to.capacity();
        size_of::<Self>() + self.request.capacity() + passcode + steps.sum::<usize>()
    }
}
