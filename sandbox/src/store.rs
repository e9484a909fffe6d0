//! The parts of an account's state; none of them depends on requests.

pub(crate) mod campaigns;
pub(crate) mod chat_progress;
pub(crate) mod limit_counters;
pub(crate) mod media_files;
pub(crate) mod passcodes;
pub(crate) mod usage_counters;
pub(crate) mod webhook_targets;
pub(crate) mod workflow_runs;
