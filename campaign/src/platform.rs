//! The clock since boot, and the identity of machines, processes and threads.

use std::fs;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The time since boot including suspend (`CLOCK_BOOTTIME`); it cannot be set.
pub(crate) fn boot_time() -> Duration {
    #[cfg(target_os = "linux")]
    let clock = rustix::time::ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let clock = rustix::time::ClockId::Monotonic;
    let now = rustix::time::clock_gettime(clock);
    let (seconds, nanos) = (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec));
    Duration::new(seconds.unwrap_or_default(), nanos.unwrap_or_default())
}

fn line(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

/// The id of the installation; empty where the system has none.
pub(crate) fn machine_id() -> String {
    line("/etc/machine-id")
}

/// The id of the boot of the kernel; empty where the system has none.
pub(crate) fn boot_id() -> String {
    line("/proc/sys/kernel/random/boot_id")
}

/// The namespace in which the path of a file is meant.
pub(crate) fn mount_namespace() -> String {
    let link = fs::read_link("/proc/self/ns/mnt").unwrap_or_default();
    link.to_string_lossy().into_owned()
}

/// The namespaces in which a process id and a start time are meant.
fn namespace() -> String {
    let link = |name: &str| {
        let link = fs::read_link(format!("/proc/self/ns/{name}")).unwrap_or_default();
        link.to_string_lossy().into_owned()
    };
    format!("{} {}", link("pid"), link("time"))
}

/// A process or one of its threads, identified by machine, boot, process namespace, id and start time, so that a reused id is
/// not mistaken for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Process {
    machine: String,
    boot: String,
    namespace: String,
    /// Its folder in `/proc`.
    task: String,
    started: String,
}

impl Process {
    /// This process.
    pub(crate) fn current() -> Self {
        Self::of(std::process::id().to_string())
    }

    /// The calling thread.
    pub(crate) fn current_thread() -> Self {
        let thread = fs::read_link("/proc/thread-self").unwrap_or_default();
        Self::of(thread.to_string_lossy().into_owned())
    }

    fn of(task: String) -> Self {
        Self {
            machine: machine_id(),
            boot: boot_id(),
            namespace: namespace(),
            started: start_time(&task).unwrap_or_default(),
            task,
        }
    }

    /// Whether it has ended. `None` for a process that this one cannot observe: on another machine or in another
    /// process namespace.
    pub(crate) fn has_ended(&self, observer: &Self) -> Option<bool> {
        if self.machine != observer.machine || self.machine.is_empty() || self.boot.is_empty() {
            return None;
        }
        if self.boot != observer.boot {
            return Some(true);
        }
        if self.namespace != observer.namespace || self.started.is_empty() {
            return None;
        }
        Some(start_time(&self.task).is_none_or(|started| started != self.started))
    }
}

/// When a process or thread started, in ticks since boot; `None` when it does not exist or is a zombie.
fn start_time(task: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{task}/stat")).ok()?;
    // The name of the program is in parentheses and may contain spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let state = *fields.first()?;
    (!matches!(state, "Z" | "X")).then(|| fields.get(19).copied().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_process_has_not_ended_and_a_killed_one_has() {
        let me = Process::current();
        assert_eq!(me.has_ended(&me), Some(false));
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let other = Process::of(child.id().to_string());
        assert_eq!(other.has_ended(&me), Some(false));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(other.has_ended(&me), Some(true));
    }

    #[test]
    fn a_thread_has_ended_although_its_process_runs() {
        let me = Process::current();
        let (end, wait) = std::sync::mpsc::channel::<()>();
        let (send, thread_of) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            send.send(Process::current_thread()).unwrap();
            let _ = wait.recv();
        });
        let found = thread_of.recv().unwrap();
        assert_eq!(found.has_ended(&me), Some(false));
        drop(end);
        thread.join().unwrap();
        assert_eq!(found.has_ended(&me), Some(true));
    }

    #[test]
    fn a_process_elsewhere_cannot_be_observed() {
        let me = Process::current();
        assert_eq!(Process { machine: "other".into(), ..me.clone() }.has_ended(&me), None);
        assert_eq!(Process { namespace: "pid:[1]".into(), ..me.clone() }.has_ended(&me), None);
        assert_eq!(Process { boot: "earlier".into(), ..me.clone() }.has_ended(&me), Some(true));
        assert_eq!(Process { started: "1".into(), ..me.clone() }.has_ended(&me), Some(true), "a reused id");
    }
}
