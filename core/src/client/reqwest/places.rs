//! At most so many connections at a time.
//!
//! An attempt holds a place while it runs, and one server's idle connections are taken before a new one is made: so
//! connections to one server never outnumber the places. With several servers a part of the places is kept back for
//! the connections that stay idle at the others. A connection becomes idle a moment after its attempt ended: where
//! there may be as many as places, a new one is begun only after a pause, in which such a one is found. A connection
//! that an idle one made superfluous is not finished.

use std::cell::Cell;
use std::error::Error as StdError;
use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, SemaphorePermit};
use tower_layer::Layer;
use tower_service::Service;

type BoxError = Box<dyn StdError + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Places(Arc<Inner>);

struct Inner {
    places: Semaphore,
    count: usize,
    idle: usize,
    /// How long a connection may take to be made.
    connect: Duration,
    begun: AtomicUsize,
    made: Instant,
    /// When an attempt last left a connection behind, in microseconds after this was made.
    left: AtomicU64,
}

/// How long a connection that ended its exchange may take to become idle, on a machine that is busy.
const PAUSE: Duration = Duration::from_millis(100);

impl Places {
    /// `most` connections to so many servers, each made within a time.
    pub(crate) fn new(most: usize, servers: usize, connect: Duration) -> Self {
        let most = most.min(Semaphore::MAX_PERMITS);
        let (count, idle) = match servers {
            0 | 1 => (most, most),
            servers => {
                let idle = most / (2 * servers);
                (most - idle * (servers - 1), idle)
            }
        };
        Self(Arc::new(Inner {
            places: Semaphore::new(count),
            count,
            idle,
            connect,
            begun: AtomicUsize::new(0),
            made: Instant::now(),
            left: AtomicU64::new(0),
        }))
    }

    /// How many connections may be idle at one server.
    pub(crate) fn idle(&self) -> usize {
        self.0.idle
    }

    /// Waits for a place; none when nobody gives any, which does not happen.
    pub(crate) async fn take(&self) -> Option<Place<'_>> {
        let permit = self.0.places.acquire().await.ok()?;
        Some(self.place(permit))
    }

    /// One that is free.
    pub(crate) fn try_take(&self) -> Option<Place<'_>> {
        self.0.places.try_acquire().ok().map(|permit| self.place(permit))
    }

    fn place<'a>(&'a self, permit: SemaphorePermit<'a>) -> Place<'a> {
        Place { places: &self.0, leaves: false, _permit: permit }
    }
}

/// The place of an attempt.
pub(crate) struct Place<'a> {
    places: &'a Inner,
    /// Whether a connection stays that others may use.
    pub(crate) leaves: bool,
    _permit: SemaphorePermit<'a>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if self.leaves {
            self.places.left.store(self.places.now(), Ordering::Release);
        }
    }
}

impl Inner {
    /// Whether a new connection could be one too many.
    fn is_full(&self) -> bool {
        let left = Duration::from_micros(self.now().saturating_sub(self.left.load(Ordering::Acquire)));
        self.begun.fetch_add(1, Ordering::Relaxed) >= self.count && left < PAUSE
    }

    fn now(&self) -> u64 {
        u64::try_from(self.made.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

thread_local! {
    /// Whether a call is polled by this thread.
    static CALLING: Cell<bool> = const { Cell::new(false) };
}

/// Marks what a call polls itself.
pub(crate) async fn called<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    poll_fn(|cx| {
        let outer = CALLING.replace(true);
        let polled = work.as_mut().poll(cx);
        CALLING.set(outer);
        polled
    })
    .await
}

/// An idle connection was found instead.
#[derive(Debug)]
struct Superfluous;

impl fmt::Display for Superfluous {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("superfluous")
    }
}

impl StdError for Superfluous {}

impl<S> Layer<S> for Places {
    type Service = Placed<S>;

    fn layer(&self, inner: S) -> Placed<S> {
        Placed(Arc::new((inner, self.clone())))
    }
}

/// A connector whose connections have a place. hyper clones it for every request: so what it holds is shared.
pub(crate) struct Placed<S>(Arc<(S, Places)>);

impl<S> Clone for Placed<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S, R> Service<R> for Placed<S>
where
    S: Service<R, Error = BoxError> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
    S::Response: 'static,
    R: Send + 'static,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, target: R) -> Self::Future {
        let (mut connector, places) = (self.0.0.clone(), self.0.1.clone());
        let mut connect = Box::pin(async move {
            if places.0.is_full() {
                tokio::time::sleep(PAUSE).await;
            }
            let connect = async {
                poll_fn(|cx| connector.poll_ready(cx)).await?;
                connector.call(target).await
            };
            let late = |_| Err(io::Error::from(io::ErrorKind::TimedOut).into());
            tokio::time::timeout(places.0.connect, connect).await.unwrap_or_else(late)
        });
        Box::pin(poll_fn(move |cx| match CALLING.get() {
            true => connect.as_mut().poll(cx),
            false => Poll::Ready(Err(Superfluous.into())),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Places};

    #[test]
    fn idle_connections_of_several_servers_are_counted() {
        for (most, servers) in [(128, 1), (128, 2), (128, 6), (7, 3), (1, 4), (2, 2), (4, 2)] {
            let places = Places::new(most, servers, Duration::ZERO);
            assert!(places.0.count >= 1);
            let others = servers.max(1) - 1;
            assert!(places.0.count + others * places.idle() <= most, "{most} to {servers}");
        }
        assert_eq!(Places::new(128, 1, Duration::ZERO).idle(), 128);
        assert_eq!(Places::new(usize::MAX, 1, Duration::ZERO).0.count, tokio::sync::Semaphore::MAX_PERMITS);
    }
}
