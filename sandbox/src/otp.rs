//! Family A: one-time passcodes, their usage, limits and workflows.

mod limits;
mod paging;
mod passcode_usage;
mod search_passcodes;
mod send_passcode;
mod verify_passcode;
mod workflows;

pub(crate) use passcode_usage::{daily, records};
pub(crate) use search_passcodes::{get, search};
pub(crate) use send_passcode::send;
pub(crate) use verify_passcode::{cancel, verify};
pub(crate) use workflows::{Start, run};
pub(crate) use {limits::LimitRequest, workflows::WorkflowRequest};
pub(crate) use {limits::handle as limit, workflows::handle as workflow};
