//! The threads that run the suppression function of the program.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Semaphore;

use super::thread_pool::ThreadPool;
use crate::cpaas_status;

/// The number of suppression functions that run at a time.
const MAX_STORE_THREADS: usize = 64;

/// A pool that has a thread for each job: a job waits for its permit, not in the queue of the pool. So a call that ends while it
/// waits leaves nothing behind.
#[derive(Clone)]
pub(crate) struct StoreThreads {
    pool: Arc<ThreadPool>,
    permits: Arc<Semaphore>,
}

impl StoreThreads {
    pub(crate) fn start() -> Result<Self, cpaas_status> {
        let pool = ThreadPool::start(|| MAX_STORE_THREADS)?;
        Ok(Self { pool, permits: Arc::new(Semaphore::new(MAX_STORE_THREADS)) })
    }

    /// Starts a job as soon as fewer than [`MAX_STORE_THREADS`] are running.
    pub(crate) async fn run(self, job: impl FnOnce() + Send + 'static) {
        let permit = self.permits.acquire_owned().await;
        self.pool.run(Box::new(move || {
            job();
            drop(permit);
        }));
    }

    /// See [`ThreadPool::stop`].
    pub(crate) fn stop(&self, deadline: Instant) {
        self.pool.stop(deadline);
    }
}
