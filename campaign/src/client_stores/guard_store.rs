//! The counters of a guard in an SQLite file or in Postgres.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cpaas::clock::BoxFuture;
use cpaas::guard::{GuardCounts, GuardReason, GuardRequest, GuardSettings, GuardStore};
use cpaas::suppression::StoreError;

use super::database::{Database, Purpose, blocking};
use crate::error::Result;
use crate::journal::{Row, Transaction, Value};

static GUARD: Purpose = Purpose {
    name: "guard store",
    id: "guard",
    application_id: 0x4350_6764, // "CPgd" in ASCII
    steps: &[include_str!("database/sql/1_guard.sql")],
    is_durable: false,
};

/// How often a store removes what is older than the longest window.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);

/// How many rows of a table one transaction removes. The next message removes more, so no transaction is long.
const SWEEP_ROWS: u32 = 5_000;

/// The counters of a [`Guard`](cpaas::guard::Guard), in an SQLite file for the processes of one machine, or in Postgres (with the
/// feature `postgres`) for those of several. Clones share their connections. The counters survive a restart; after a power failure,
/// those of a file may lack its last moments.
///
/// A transaction locks the country that it counts, so the processes together never exceed a limit. They must use the same
/// [`GuardSettings`], and their clocks must agree: a limit is exceeded by at most what is sent within the difference of the clocks.
/// Once a minute, after a message was counted, a store removes in the background what is older than
/// [`GuardSettings::longest_window`]. A failure of that is logged (`tracing`, level WARN) and refuses no message.
///
/// The store contains phone numbers, and ids of passcodes. As a [`GuardStore`] it needs a Tokio runtime: each command runs on a thread
/// for blocking work, for at most four seconds. An `admit` that no longer has a caller may still count its message. In Postgres a
/// store opens at most eight sessions; further commands wait for one. A session that is not used for five seconds is closed.
#[derive(Clone, Debug)]
pub struct SqlGuardStore {
    database: Database,
    /// The time of the request after which this store last removed old rows; `None` if more are left.
    swept: Arc<Mutex<Option<Duration>>>,
}

/// The prefix, the country and the kind of a message, and its number.
struct Counted {
    prefix: i64,
    country: i64,
    is_passcode: i64,
    number: i64,
    /// The first and the last number of its range.
    range: (i64, i64),
    at_us: i64,
}

impl Counted {
    /// `None` for a text that is not a number.
    fn new(request: &GuardRequest) -> Option<Self> {
        let first = request.range()?.checked_mul(10_000)?;
        Some(Self {
            prefix: i64::try_from(request.prefix()?).ok()?,
            country: i64::try_from(request.country()?).ok()?,
            is_passcode: request.is_passcode.into(),
            number: i64::try_from(request.digits()?).ok()?,
            range: (i64::try_from(first).ok()?, i64::try_from(first.checked_add(9_999)?).ok()?),
            at_us: microseconds(request.now),
        })
    }

    /// The parameters `$1` to `$2` of a statement about the prefix, and others.
    fn with<const N: usize>(&self, others: [i64; N]) -> Vec<Value> {
        [self.prefix, self.is_passcode].into_iter().chain(others).map(Value::Int).collect()
    }

    /// The parameters `$1` to `$2` of a statement about the country, and others.
    fn with_country<const N: usize>(&self, others: [i64; N]) -> Vec<Value> {
        [self.country, self.is_passcode].into_iter().chain(others).map(Value::Int).collect()
    }

    /// The time at which a window that ends now begins.
    fn begin(&self, window: Duration) -> i64 {
        self.at_us.saturating_sub(microseconds(window))
    }
}

impl SqlGuardStore {
    /// Opens a store by a path, `sqlite:///` and a path, or `postgres://…`. A file or table that does not exist is created; only its
    /// owner can access a new file. A database in Postgres may also contain a journal or a suppression store.
    ///
    /// # Errors
    /// When the store cannot be created or reached, is of a newer version, or the file is not the store of a guard or can be accessed
    /// by other users. Another file is not changed.
    pub fn open(url: &str) -> Result<Self> {
        Database::open(url, &GUARD).map(|database| Self { database, swept: Arc::default() })
    }

    /// The path of the file, or the address of the database without its password.
    #[must_use]
    pub fn place(&self) -> &str {
        self.database.place()
    }

    fn admit_now(&self, request: &GuardRequest, settings: &GuardSettings) -> Result<Option<GuardReason>> {
        let Some(counted) = Counted::new(request) else { return Ok(None) };
        self.database.write(|transaction| {
            lock_country(transaction, &counted)?;
            let refused = settings.refusal(request, &count(transaction, &counted, settings)?);
            if refused.is_none() {
                let sql =
                    "INSERT INTO guard_messages (prefix, is_passcode, number, at_us, messages, is_entered)
                    VALUES ($1, $2, $3, $4, 1, 0) ON CONFLICT (prefix, is_passcode, number, at_us)
                    DO UPDATE SET messages = guard_messages.messages + 1";
                transaction.execute_later(sql, &counted.with([counted.number, counted.at_us]))?;
                let sql = "INSERT INTO guard_country_messages (country, is_passcode, number, at_us, messages)
                    VALUES ($1, $2, $3, $4, 1) ON CONFLICT (country, is_passcode, number, at_us)
                    DO UPDATE SET messages = guard_country_messages.messages + 1";
                transaction.execute_later(sql, &counted.with_country([counted.number, counted.at_us]))?;
            }
            Ok(refused)
        })
    }

    fn withdraw_now(&self, request: &GuardRequest) -> Result<()> {
        let Some(counted) = Counted::new(request) else { return Ok(()) };
        let key = counted.with([counted.number, counted.at_us]);
        self.database.write(|transaction| {
            lock_country(transaction, &counted)?;
            let sql = "UPDATE guard_messages SET messages = messages - 1
                WHERE prefix = $1 AND is_passcode = $2 AND number = $3 AND at_us = $4 AND is_entered = 0";
            transaction.execute_later(sql, &key)?;
            let sql = "DELETE FROM guard_messages
                WHERE prefix = $1 AND is_passcode = $2 AND number = $3 AND at_us = $4 AND messages <= 0";
            transaction.execute_later(sql, &key)?;
            let key = counted.with_country([counted.number, counted.at_us]);
            let sql = "UPDATE guard_country_messages SET messages = messages - 1
                WHERE country = $1 AND is_passcode = $2 AND number = $3 AND at_us = $4";
            transaction.execute_later(sql, &key)?;
            let sql = "DELETE FROM guard_country_messages
                WHERE country = $1 AND is_passcode = $2 AND number = $3 AND at_us = $4 AND messages <= 0";
            transaction.execute_later(sql, &key)
        })
    }

    fn remember(&self, id: &str, request: &GuardRequest) -> Result<()> {
        let Some(counted) = Counted::new(request) else { return Ok(()) };
        let values: [Value; 4] =
            [id.into(), counted.prefix.into(), counted.number.into(), counted.at_us.into()];
        self.database.write(|transaction| {
            let sql = "INSERT INTO guard_passcodes (id, prefix, number, at_us) VALUES ($1, $2, $3, $4)
                ON CONFLICT (id) DO UPDATE
                SET prefix = excluded.prefix, number = excluded.number, at_us = excluded.at_us";
            transaction.execute(sql, &values).map(drop)
        })
    }

    /// The person proved to have the phone: all passcodes to this number count as entered.
    fn convert(&self, id: &str) -> Result<()> {
        let id = [Value::from(id)];
        self.database.write(|transaction| {
            let found = transaction.query("SELECT prefix, number FROM guard_passcodes WHERE id = $1", &id)?;
            let Some(passcode) = found.first() else { return Ok(()) };
            let number = passcode.int("number")?;
            let of_number = [passcode.int("prefix")?.into(), number.into()];
            transaction.execute_later("DELETE FROM guard_passcodes WHERE id = $1", &id)?;
            let sql = "UPDATE guard_messages SET is_entered = 1
                WHERE prefix = $1 AND is_passcode = 1 AND number = $2";
            transaction.execute_later(sql, &of_number)?;
            let sql =
                "DELETE FROM guard_country_messages WHERE country = $1 AND is_passcode = 1 AND number = $2";
            transaction.execute_later(sql, &[country(number).into(), number.into()])
        })
    }

    /// Removes in the background what is older than the longest window, if that was not done for a minute.
    fn sweep_in_background(&self, now: Duration, settings: &GuardSettings) {
        {
            let mut swept = self.swept();
            if swept.is_some_and(|last| now.abs_diff(last) < SWEEP_INTERVAL) {
                return;
            }
            *swept = Some(now);
        }
        let (store, begin) = (self.clone(), now.saturating_sub(settings.longest_window()));
        tokio::task::spawn_blocking(move || match store.sweep(begin) {
            Ok(true) => {}
            Ok(false) => *store.swept() = None,
            Err(error) => tracing::warn!(%error, "old rows of the guard store were not removed"),
        });
    }

    /// Removes what is as old as `begin`. Returns whether nothing is left. It holds no lock of a country, because two stores that each
    /// waited for the country of the other would be a deadlock.
    fn sweep(&self, begin: Duration) -> Result<bool> {
        const MESSAGES: &str = "DELETE FROM guard_messages WHERE (prefix, is_passcode, number, at_us) IN
            (SELECT prefix, is_passcode, number, at_us FROM guard_messages WHERE at_us <= $1 ORDER BY at_us LIMIT $2)";
        const PASSCODES: &str = "DELETE FROM guard_passcodes WHERE id IN
            (SELECT id FROM guard_passcodes WHERE at_us <= $1 ORDER BY at_us LIMIT $2)";
        const OF_COUNTRIES: &str = "DELETE FROM guard_country_messages WHERE (country, is_passcode, number, at_us) IN
            (SELECT country, is_passcode, number, at_us FROM guard_country_messages WHERE at_us <= $1 ORDER BY at_us LIMIT $2)";
        // The first condition is checked again if another transaction has just used the country.
        const COUNTRIES: &str =
            "DELETE FROM guard_countries WHERE last_us <= $1 AND (country, is_passcode) IN
            (SELECT country, is_passcode FROM guard_countries WHERE last_us <= $1 LIMIT $2)";
        let values = [microseconds(begin).into(), i64::from(SWEEP_ROWS).into()];
        let mut is_all = true;
        for sql in [MESSAGES, OF_COUNTRIES, PASSCODES, COUNTRIES] {
            let removed = self.database.write(|transaction| transaction.execute(sql, &values))?;
            is_all &= removed < SWEEP_ROWS.into();
        }
        Ok(is_all)
    }

    fn swept(&self) -> MutexGuard<'_, Option<Duration>> {
        self.swept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Locks the country until the end of the transaction.
fn lock_country(transaction: &mut dyn Transaction, counted: &Counted) -> Result<()> {
    let sql = "INSERT INTO guard_countries (country, is_passcode, last_us) VALUES ($1, $2, $3)
        ON CONFLICT (country, is_passcode) DO UPDATE SET last_us = excluded.last_us";
    transaction.execute_later(sql, &counted.with_country([counted.at_us]))
}

/// The country code of a number that was counted.
fn country(number: i64) -> i64 {
    let request = GuardRequest::new(number.to_string(), true, Duration::ZERO);
    request.country().and_then(|code| i64::try_from(code).ok()).unwrap_or_default()
}

// The counts below end with the window, also if a prefix has many older rows: see the indexes in `1_guard.sql`. In `NEIGHBORS` and
// `IN_RANGE`, `is_entered + 0` keeps SQLite from the index by prefix and time, which is not in the order of the numbers.
const TO_RECIPIENT: &str = "SELECT CAST(coalesce(sum(messages), 0) AS BIGINT) AS messages FROM guard_messages
    WHERE prefix = $1 AND is_passcode = $2 AND number = $3 AND at_us > $4";
const NEIGHBORS: &str = "SELECT DISTINCT number FROM guard_messages
    WHERE prefix = $1 AND is_passcode = $2 AND is_entered + 0 = 0 AND at_us > $3 AND number BETWEEN $4 AND $5";
const IN_RANGE: &str = "SELECT count(DISTINCT number) AS numbers FROM guard_messages
    WHERE prefix = $1 AND is_passcode = $2 AND is_entered + 0 = 0 AND at_us > $3 AND number BETWEEN $4 AND $5";
const IN_PREFIX: &str = "SELECT CAST(coalesce(sum(messages), 0) AS BIGINT) AS messages FROM guard_messages
    WHERE prefix = $1 AND is_passcode = $2 AND is_entered = 0 AND at_us > $3";
const IN_COUNTRY: &str =
    "SELECT CAST(coalesce(sum(messages), 0) AS BIGINT) AS messages FROM guard_country_messages
    WHERE country = $1 AND is_passcode = $2 AND at_us > $3";
const CONVERSION: &str = "SELECT CAST(coalesce(sum(messages), 0) AS BIGINT) AS messages,
    CAST(coalesce(sum(messages * is_entered), 0) AS BIGINT) AS entered FROM guard_messages
    WHERE prefix = $1 AND is_passcode = $2 AND is_entered IN (0, 1) AND at_us > $3
    AND (is_entered = 1 OR at_us <= $4)";

/// Counts the messages of a prefix and of its country, which is locked.
fn count(
    transaction: &mut dyn Transaction,
    counted: &Counted,
    settings: &GuardSettings,
) -> Result<GuardCounts> {
    let reach = i64::try_from(settings.max_sequence).unwrap_or(i64::MAX);
    let (first, last) = (counted.number.saturating_sub(reach), counted.number.saturating_add(reach));
    let begin = counted.begin(settings.window);
    let limits: Vec<Vec<Value>> = settings
        .recipient_limits
        .iter()
        .map(|(_, window)| counted.with([counted.number, counted.begin(*window)]))
        .collect();
    let neighbors = counted.with([begin, first, last]);
    let in_range = counted.with([begin, counted.range.0, counted.range.1]);
    let in_prefix = counted.with([begin]);
    let in_country = counted.with_country([begin]);
    let conversion = counted.with([counted.begin(settings.conversion_window), counted.begin(settings.grace)]);
    let mut queries: Vec<(&str, &[Value])> = vec![
        (NEIGHBORS, &neighbors),
        (IN_RANGE, &in_range),
        (IN_PREFIX, &in_prefix),
        (IN_COUNTRY, &in_country),
    ];
    queries.extend(limits.iter().map(|values| (TO_RECIPIENT, values.as_slice())));
    if counted.is_passcode == 1 && settings.min_conversion > 0.0 {
        queries.push((CONVERSION, &conversion));
    }
    let mut found = transaction.query_all(&queries)?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let mut counts = GuardCounts::default();
    counts.neighbors = next().iter().map(|row| natural(row, "number")).collect::<Result<_>>()?;
    counts.in_range = sum(&next(), "numbers")?;
    counts.in_prefix = sum(&next(), "messages")?;
    counts.in_country = sum(&next(), "messages")?;
    counts.to_recipient = limits.iter().map(|_| sum(&next(), "messages")).collect::<Result<_>>()?;
    let passcodes = next();
    (counts.passcodes, counts.entered) = (sum(&passcodes, "messages")?, sum(&passcodes, "entered")?);
    Ok(counts)
}

/// The count in the one row of a result; 0 if the query did not run.
fn sum(rows: &[Row], column: &str) -> Result<usize> {
    rows.first().map_or(Ok(0), |row| natural(row, column))
}

/// An integer that is not negative.
fn natural<T: TryFrom<i64> + Default>(row: &Row, column: &str) -> Result<T> {
    row.int(column).map(|value| T::try_from(value).unwrap_or_default())
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

impl GuardStore for SqlGuardStore {
    fn admit<'a>(
        &'a self,
        request: &'a GuardRequest,
        settings: &'a GuardSettings,
    ) -> BoxFuture<'a, Result<Option<GuardReason>, StoreError>> {
        let decision = blocking(self, (request.clone(), settings.clone()), |store, (request, settings)| {
            store.admit_now(request, settings)
        });
        Box::pin(async move {
            let decision = decision.await?;
            self.sweep_in_background(request.now, settings);
            Ok(decision)
        })
    }

    fn withdraw<'a>(&'a self, request: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        blocking(self, request.clone(), |store, request| store.withdraw_now(request))
    }

    fn sent<'a>(&'a self, id: &'a str, request: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        blocking(self, (id.to_owned(), request.clone()), |store, (id, request)| store.remember(id, request))
    }

    fn converted<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        blocking(self, id.to_owned(), |store, id| store.convert(id))
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    /// How SQLite finds the rows of a query.
    fn plan(database: &Connection, sql: &str) -> String {
        let mut statement = database.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        // The parameters have no values.
        let rows = statement.raw_query().mapped(|row| row.get::<_, String>(3));
        rows.map(Result::unwrap).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_count_reads_only_the_rows_of_its_window_or_of_its_numbers() {
        let database = Connection::open_in_memory().unwrap();
        GUARD.steps.iter().for_each(|step| database.execute_batch(step).unwrap());
        let by_time = "USING COVERING INDEX guard_messages_by_prefix (prefix=? AND is_passcode=? AND is_entered=? AND at_us>?)";
        let by_numbers = "(prefix=? AND is_passcode=? AND number>? AND number<?)";
        for (sql, expected) in [
            (IN_PREFIX, by_time),
            (
                IN_COUNTRY,
                "USING COVERING INDEX guard_country_messages_by_country (country=? AND is_passcode=? AND at_us>?)",
            ),
            (CONVERSION, by_time),
            (TO_RECIPIENT, "(prefix=? AND is_passcode=? AND number=? AND at_us>?)"),
            (NEIGHBORS, by_numbers),
            (IN_RANGE, by_numbers),
        ] {
            let found = plan(&database, &sql.replace('$', "?"));
            assert!(found.contains(expected), "{sql}: {found}");
        }
    }
}
