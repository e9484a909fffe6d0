//! The processor time of this thread: a machine that is busy with something else does not lengthen it.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

pub(crate) fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
