//! A pool of threads for functions of the program. They may block, so they never run on a thread that drives calls or resolves names.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::handoff::SharedHandoff;
use super::signals;
use crate::cpaas_status;

type Job = Box<dyn FnOnce() + Send>;

/// A pool that starts threads on demand. One thread remains until the pool stops.
pub(crate) struct ThreadPool {
    max_threads: fn() -> usize,
    state: Mutex<State>,
    changed: Condvar,
    /// Joined by each thread that ends, and published by the thread that waits for them.
    ended: SharedHandoff,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
    is_stopping: bool,
}

/// An empty queue keeps memory for this many jobs.
const KEPT_CAPACITY: usize = 1024;

/// An idle thread ends after this time, except the last one.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

impl ThreadPool {
    /// Starts the pool with one thread.
    pub(crate) fn start(max_threads: fn() -> usize) -> Result<Arc<Self>, cpaas_status> {
        let pool = Arc::new(Self {
            max_threads,
            state: Mutex::default(),
            changed: Condvar::new(),
            ended: SharedHandoff::new(),
        });
        pool.lock().threads = 1;
        pool.spawn().map_err(|_| cpaas_status::CPAAS_NO_THREAD)?;
        Ok(pool)
    }

    /// Runs a job on a thread of the pool, or on this thread if the pool has no thread and cannot start one.
    pub(crate) fn run(self: &Arc<Self>, job: Job) {
        let mut state = self.lock();
        state.jobs.push_back(job);
        if state.jobs.len() <= state.idle {
            self.changed.notify_all();
            return;
        }
        if state.threads >= (self.max_threads)().max(1) {
            return;
        }
        state.threads += 1;
        drop(state);
        if self.spawn().is_err() {
            self.without_thread();
        }
    }

    /// Called if a thread could not be started. The other threads of the pool run the job; if there are none, this thread does.
    fn without_thread(&self) {
        let mut state = self.lock();
        state.threads -= 1;
        if state.threads > 0 {
            return;
        }
        while let Some(job) = state.jobs.pop_front() {
            drop(state);
            job();
            state = self.lock();
        }
    }

    fn spawn(self: &Arc<Self>) -> std::io::Result<()> {
        let pool = Arc::clone(self);
        signals::spawn_blocked(move || pool.serve()).map(drop)
    }

    fn serve(&self) {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                if state.jobs.is_empty() {
                    state.jobs.shrink_to(KEPT_CAPACITY);
                }
                drop(state);
                job();
                state = self.lock();
                continue;
            }
            if state.is_stopping {
                break;
            }
            state.idle += 1;
            let waited = self.changed.wait_timeout(state, IDLE_TIMEOUT);
            let (woken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.idle -= 1;
            if timeout.timed_out() && state.jobs.is_empty() && state.threads > 1 {
                break;
            }
        }
        self.ended.join();
        state.threads -= 1;
        self.changed.notify_all();
    }

    /// Ends the threads after the queued jobs have run. Waits until `deadline`.
    pub(crate) fn stop(&self, deadline: Instant) {
        let mut state = self.lock();
        state.is_stopping = true;
        self.changed.notify_all();
        while state.threads > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.changed.wait_timeout(state, left);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        self.ended.publish();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
