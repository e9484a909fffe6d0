//! Numbers that get no SMS: the people who asked to stop.
//!
//! A client consults the store of [`Client::suppression`](crate::Client::suppression) before the first attempt of each call of
//! `sms.send`, `sms.send_bulk`, and of `messages.*` with the channel `sms`. If the store contains a recipient, the call is `invalid` with the
//! problem `suppressed` of each such recipient, and nothing is sent, to nobody. If the store fails or does not answer within five
//! seconds for all recipients of the call together, or until the deadline of the call, the call is `invalid` with the problem
//! `suppression.unavailable`: nothing is sent either. A [`Clock`](crate::clock::Clock) that cannot wait sets no limit.
//!
//! Passcodes (`otp.*`) are not checked: the person who asks for a passcode expects it, and a stop does not end the ability to log in.
//! [`RawCall`](crate::client::RawCall) is not checked, because the library does not know what it sends, nor are requests that
//! another HTTP client sends after [`OperationId::prepare_json`](crate::OperationId::prepare_json).

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::BoxFuture;
use crate::text::msisdn::normalize_number;

/// Why a store failed. It is the `source()` of the error of the call, and never logged: it may contain a number or an address with a password.
/// If the call is sent nevertheless, only a line of the log names the store, so a store should log its errors itself.
pub type StoreError = Box<dyn std::error::Error + Send + Sync>;

/// A store of suppressed numbers: [`MemorySuppressionStore`] for one process, `SqlSuppressionStore` of the crate `cpaas-campaign` for
/// several processes, in an SQLite file or in Postgres, or one of your own.
///
/// The client passes numbers in their canonical form ([`crate::text::msisdn::normalize_number`]): digits with the country code. Your
/// program should pass the same form to `add` and `remove`.
///
/// ```
/// use cpaas::clock::BoxFuture;
/// use cpaas::suppression::{StoreError, SuppressionStore};
/// # #[derive(Clone)] struct Redis;
/// # impl Redis { async fn run(&self, _: &[&str]) -> Result<bool, std::io::Error> { Ok(true) } }
///
/// struct RedisStore(Redis); // your connection
///
/// impl SuppressionStore for RedisStore {
///     fn is_suppressed<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
///         Box::pin(async move { Ok(self.0.run(&["SISMEMBER", "stopped", number]).await?) })
///     }
///     fn add<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
///         Box::pin(async move { Ok(self.0.run(&["SADD", "stopped", number]).await?) })
///     }
///     fn remove<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
///         Box::pin(async move { Ok(self.0.run(&["SREM", "stopped", number]).await?) })
///     }
/// }
/// ```
pub trait SuppressionStore: Send + Sync + 'static {
    /// Whether the store contains a number. False for a text that is not a number.
    fn is_suppressed<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// For each number, whether the store contains it. A client calls it with all recipients of a call. A store that can answer for
    /// several numbers at once overrides it.
    fn are_suppressed<'a>(&'a self, numbers: &'a [String]) -> BoxFuture<'a, Result<Vec<bool>, StoreError>> {
        Box::pin(async move {
            let mut found = Vec::with_capacity(numbers.len());
            for number in numbers {
                found.push(self.is_suppressed(number).await?);
            }
            Ok(found)
        })
    }

    /// Adds a number. Returns whether it is new, so that only the first stop gets a confirmation. A text that is not a number, such as
    /// the id of a user of a chat channel, should be an error, as in the stores of this project: `false` would say that it is protected.
    fn add<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// Removes a number. Returns whether the store contained it: false for a text that is not a number.
    fn remove<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// How messages name the store, without a password: the path of its file, or the address of its database. `None` for a store without a
    /// name.
    fn place(&self) -> Option<&str> {
        None
    }

    /// The last change of the store; `None` for a store that does not count its changes. The runs of campaigns remember it, so that they
    /// notice an older store, such as a restored backup, which has forgotten people who asked to stop.
    fn last_change(&self) -> BoxFuture<'_, Result<Option<StoreChange>, StoreError>> {
        Box::pin(async { Ok(None) })
    }

    /// Whether the store contains a change that [`Self::last_change`] returned before: false for a store that was set back.
    fn has_change<'a>(&'a self, _change: &'a StoreChange) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async { Ok(true) })
    }
}

/// A change of a suppression store: a number was added or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreChange {
    /// The random id of the store. A copy has the same one.
    pub store: String,
    /// The number of the change, which only grows.
    pub number: u64,
    /// A random text that differs from that of every other change.
    pub token: String,
}

/// A store in memory, for one process and for tests. It accepts numbers in any notation with their country code: a national number such as
/// `6912345678` is read as one with the country code 691 and protects nobody. A text that is not a number is an error of `add`.
#[derive(Debug, Default)]
pub struct MemorySuppressionStore {
    numbers: Mutex<HashSet<String>>,
}

impl MemorySuppressionStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn numbers(&self) -> MutexGuard<'_, HashSet<String>> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SuppressionStore for MemorySuppressionStore {
    fn is_suppressed<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move {
            Ok(normalize_number(number, None).is_ok_and(|number| self.numbers().contains(&*number)))
        })
    }

    fn add<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move {
            let number = normalize_number(number, None).map_err(|reason| format!("number {reason}"))?;
            Ok(self.numbers().insert(number.into_owned()))
        })
    }

    fn remove<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move {
            Ok(normalize_number(number, None).is_ok_and(|number| self.numbers().remove(&*number)))
        })
    }
}
