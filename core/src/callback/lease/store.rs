//! The store of a filter, for one process or for several.

use std::convert::Infallible;
use std::fmt::Display;
use std::time::Duration;

use super::{Claimed, LeaseMemory};

/// A store of the events that are being processed or are done: [`LeaseMemory`] for one process, or one of your own, for
/// several processes.
///
/// Each method is one atomic command on one key. A lease is judged by the clock of the store alone. In SQL a store uses a
/// connection of its own in autocommit mode, never the transaction of a request.
///
/// ```
/// use std::time::Duration;
///
/// use cpaas::callback::{Claimed, LeaseStore};
/// # #[derive(Clone)] struct Redis; struct Answer;
/// # impl Redis { async fn run(&self, _: &str, _: &[&str]) -> Result<(String, f64), String> { Ok(("new".into(), 0.0)) } }
///
/// struct RedisStore {
///     redis: Redis, // your connection
/// }
///
/// impl LeaseStore for RedisStore {
///     type Error = String;
///
///     async fn claim(&self, key: &str, token: &str, lease: Duration) -> Result<Claimed, String> {
///         let (state, left) = self.redis.run("claim.lua", &[key, token, &lease.as_millis().to_string()]).await?;
///         Ok(match state.as_str() {
///             "new" => Claimed::New,
///             "busy" => Claimed::Busy(Duration::try_from_secs_f64(left).map_err(|error| error.to_string())?),
///             "done" => Claimed::Done,
///             _ => return Err("the script returned another state".to_owned()),
///         })
///     }
///
///     async fn done(&self, key: &str, token: &str, keep: Duration) -> Result<(), String> {
///         self.redis.run("done.lua", &[key, token, &keep.as_millis().to_string()]).await.map(drop)
///     }
///
///     async fn free(&self, key: &str, token: &str) -> Result<(), String> {
///         self.redis.run("free.lua", &[key, token]).await.map(drop)
///     }
/// }
/// ```
///
/// `docs/callbacks.md` has the scripts for Redis and the statements for PostgreSQL and SQLite.
pub trait LeaseStore: Send + Sync + 'static {
    /// Why a command failed. It is logged, so it must not contain credentials. The key and the token contain no personal data.
    type Error: Display + Send;

    /// Claims the event `key` for the time of `lease`: [`Claimed::Done`] if the event is done; [`Claimed::Busy`] if another
    /// token has a lease that has not ended; otherwise [`Claimed::New`], and the lease starts. The token that has the lease
    /// already gets [`Claimed::New`] and the lease anew, because a reply may have been lost.
    fn claim(
        &self,
        key: &str,
        token: &str,
        lease: Duration,
    ) -> impl Future<Output = Result<Claimed, Self::Error>> + Send;

    /// Records for the time of `keep` that the event is done, whoever has the lease. May be repeated.
    fn done(
        &self,
        key: &str,
        token: &str,
        keep: Duration,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Ends the lease of this token. Does nothing if the event is done or another token has the lease.
    fn free(&self, key: &str, token: &str) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

impl LeaseStore for LeaseMemory {
    type Error = Infallible;

    async fn claim(&self, key: &str, token: &str, lease: Duration) -> Result<Claimed, Infallible> {
        Ok(self.claim(key, token, lease))
    }

    async fn done(&self, key: &str, _: &str, keep: Duration) -> Result<(), Infallible> {
        self.done(key, keep);
        Ok(())
    }

    async fn free(&self, key: &str, token: &str) -> Result<(), Infallible> {
        self.free(key, token);
        Ok(())
    }
}
