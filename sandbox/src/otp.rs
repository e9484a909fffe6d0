//! Family A: one-time passcodes, their usage, limits and workflows.

mod fields;
mod limit;
mod limits;
mod paging;
mod record;
mod search;
mod send;
mod usage;
mod verify;
mod workflow;
mod workflows;

pub(crate) use limit::Limits;
pub(crate) use record::{Otps, parse_sid};
pub(crate) use search::{get, search};
pub(crate) use send::send;
pub(crate) use usage::{Days, daily, records};
pub(crate) use verify::{cancel, verify};
pub(crate) use workflow::{Run, Start, Workflow, run};
pub(crate) use {limits::Order as LimitOrder, workflows::Order as WorkflowOrder};
pub(crate) use {limits::handle as limit, workflows::handle as workflow};
