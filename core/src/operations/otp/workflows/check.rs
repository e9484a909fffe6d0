use super::{Step, StepChannel};
use crate::operations::otp::check::required;
use crate::problem::{Pointer, Problems, codes};
use crate::rules::{allowed_values, members};

/// The steps of a workflow.
pub(super) fn steps(steps: &[Step], at: &Pointer<'_>, problems: &mut Problems) {
    for (index, step) in steps.iter().enumerate() {
        let at = &at.index(index);
        if let StepChannel::Other(value) = &step.channel {
            let is_there = required(value, &codes::OTP_WORKFLOW_CHANNEL_REQUIRED, at, "channel", problems);
            if is_there {
                let code = &codes::OTP_WORKFLOW_CHANNEL_UNKNOWN;
                allowed_values::unknown(code, value, StepChannel::VALUES, at, "channel", problems);
            }
        }
        let interval = step.interval.as_str();
        let has_interval =
            required(interval, &codes::OTP_WORKFLOW_INTERVAL_REQUIRED, at, "interval", problems);
        if has_interval && step.interval.as_i64().is_none_or(|value| value < 0) {
            problems.add_key(&codes::OTP_WORKFLOW_INTERVAL, at, "interval");
        }
        members::unknown(step, at, problems);
    }
}
