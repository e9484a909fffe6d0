use super::{Step, StepChannel};
use crate::problem::{Pointer, Problems, codes};
use crate::rules::{choice, members};

/// The steps of a workflow.
pub(super) fn steps(steps: &[Step], at: &Pointer<'_>, problems: &mut Problems) {
    for (index, step) in steps.iter().enumerate() {
        let at = &at.index(index);
        if let StepChannel::Other(value) = &step.channel {
            let at = &at.key("channel");
            if value.trim().is_empty() {
                problems.add(&codes::OTP_WORKFLOW_CHANNEL_REQUIRED, at);
            } else {
                choice::unknown(
                    &codes::OTP_WORKFLOW_CHANNEL_UNKNOWN,
                    value,
                    StepChannel::VALUES,
                    at,
                    problems,
                );
            }
        }
        if step.interval.as_i64().is_none_or(|value| value < 0) {
            problems.add(&codes::OTP_WORKFLOW_INTERVAL, &at.key("interval"));
        }
        members::unknown(step, &step.extra, at, problems);
    }
}
