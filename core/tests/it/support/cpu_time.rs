//! The CPU time of this thread, which does not depend on other load of the machine.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

pub(crate) fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
