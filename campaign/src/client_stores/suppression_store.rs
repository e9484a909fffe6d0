//! A suppression store in an SQLite file or in Postgres.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cpaas::clock::BoxFuture;
use cpaas::suppression::{StoreChange, StoreError, SuppressionStore};
use cpaas::text::msisdn::{NotANumber, normalize_number, with_country_code};

use super::database::{Database, Purpose, blocking};
use crate::error::{Error, Result};
use crate::journal::{Row, Transaction, Value, known_store_change, remember_store_change};
use crate::protocol::Token;
use crate::suppression::is_unassigned;

const INSERT: &str = "INSERT INTO suppressed_number (number) VALUES ($1) ON CONFLICT DO NOTHING";

/// Of two transactions with the same number, the second one does nothing, and tries again with the next number. (SQLite requires
/// the `WHERE` before `ON CONFLICT`.)
const INSERT_CHANGE: &str = "INSERT INTO suppression_changes (number, token, total)
    SELECT COALESCE(MAX(number) + 1, 0), $1, (SELECT total FROM suppression_changes ORDER BY number DESC LIMIT 1) + $2
    FROM suppression_changes WHERE number >= 0 ON CONFLICT DO NOTHING";

/// The first change identifies the store.
const INSERT_FIRST: &str =
    "INSERT INTO suppression_changes (number, token, total) VALUES (0, $1, (SELECT COUNT(*) FROM suppressed_number))
    ON CONFLICT DO NOTHING";

const LAST_CHANGE: &str = "SELECT number, token FROM suppression_changes ORDER BY number DESC LIMIT 1";

/// Compares the numbers with the last change. A log beside an older file, with the last changes but not all numbers, differs.
const COUNTED: &str = "SELECT COALESCE(total, numbers) - numbers AS missing FROM
    (SELECT total, (SELECT COUNT(*) FROM suppressed_number) AS numbers FROM suppression_changes ORDER BY number DESC LIMIT 1) AS last";

const CHANGE: &str = "SELECT number, token FROM suppression_changes WHERE number = $1";

static SUPPRESSION: Purpose = Purpose {
    name: "suppression store",
    id: "suppression",
    application_id: 0x4350_736c, // "CPsl" in ASCII
    steps: &[
        include_str!("database/sql/1_suppression.sql"),
        include_str!("database/sql/2_suppression.sql"),
        include_str!("database/sql/3_suppression.sql"),
    ],
    is_durable: true,
};

/// The numbers that get no SMS, in an SQLite file for the processes of one machine, or in Postgres (with the feature `postgres`) for
/// those of several. Clones share their connections.
///
/// As a [`SuppressionStore`] it needs a Tokio runtime: each command runs on a thread for blocking work, for at most four seconds. In
/// Postgres a store opens at most eight sessions; further commands wait for one. A session that is not used for five seconds is closed.
///
/// It counts its changes, and fails when it lacks one that it had before, as after a backup was copied over its file: then it has forgotten
/// people who asked to stop. A store that is opened after that works.
#[derive(Clone, Debug)]
pub struct SqlSuppressionStore {
    database: Database,
    /// The last change that was read.
    seen: Arc<Mutex<Option<Change>>>,
    /// The last change with which the numbers were compared and agreed.
    counted: Arc<Mutex<Option<Change>>>,
}

/// The number and the random text of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    number: i64,
    token: String,
}

impl Change {
    fn read(rows: &[Row]) -> Result<Option<Self>> {
        let read = |row: &Row| Ok(Self { number: row.int("number")?, token: row.text("token")?.to_owned() });
        rows.first().map(read).transpose()
    }
}

impl SqlSuppressionStore {
    /// Opens a store by a path, `sqlite:///` and a path, or `postgres://…`. A file or table that does not exist is created; only its
    /// owner can access a new file. A database in Postgres may also contain a journal or a guard.
    ///
    /// # Errors
    /// When the store cannot be created or reached, is of a newer version, or the file is not a suppression store or can be accessed by
    /// other users. Another file is not changed.
    pub fn open(url: &str) -> Result<Self> {
        let database = Database::open(url, &SUPPRESSION)?;
        let is_new = database.read(|transaction| transaction.query(LAST_CHANGE, &[]))?.is_empty();
        if is_new {
            let token = random_text()?;
            database.write(|transaction| transaction.execute(INSERT_FIRST, &[token.as_str().into()]))?;
        }
        Ok(Self { database, seen: Arc::default(), counted: Arc::default() })
    }

    /// The path of the file, or the address of the database without its password.
    #[must_use]
    pub fn place(&self) -> &str {
        self.database.place()
    }

    /// Whether the store contains a number, in any notation with its country code. False for a text that is not a number, such as a
    /// short code or the id of a chat channel.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn contains(&self, number: &str) -> Result<bool> {
        self.contains_each(&[number]).map(|found| found.first().is_some_and(|found| *found))
    }

    /// For each number, whether the store contains it, in one transaction.
    fn contains_each(&self, numbers: &[impl AsRef<str>]) -> Result<Vec<bool>> {
        const QUERY: &str = "SELECT number FROM suppressed_number WHERE number = $1";
        let known: Vec<Option<[Value; 1]>> = numbers
            .iter()
            .map(|number| canonical(number.as_ref(), None).ok().map(|number| [number.into()]))
            .collect();
        let seen = self.seen().clone();
        let (found, last) = self.database.read(|transaction| {
            let number = [Value::Int(seen.as_ref().map_or(0, |seen| seen.number))];
            let own: [(&str, &[Value]); 2] = [(CHANGE, &number), (LAST_CHANGE, &[])];
            let numbers = known.iter().flatten().map(|number| (QUERY, number.as_slice()));
            let queries: Vec<(&str, &[Value])> = own.into_iter().chain(numbers).collect();
            let mut found = transaction.query_all(&queries)?.into_iter();
            let same = Change::read(&found.next().unwrap_or_default())?;
            let last = Change::read(&found.next().unwrap_or_default())?;
            if seen.is_some() && seen != same {
                return Err(set_back(seen.as_ref(), last.as_ref()));
            }
            let mut contains = || found.next().is_some_and(|rows| !rows.is_empty());
            let found = known.iter().map(|number| number.is_some() && contains()).collect();
            Ok((found, last))
        })?;
        self.remember(last);
        Ok(found)
    }

    fn seen(&self) -> MutexGuard<'_, Option<Change>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Other threads may have read a later change meanwhile.
    fn remember(&self, last: Option<Change>) {
        let mut seen = self.seen();
        let number = |change: &Option<Change>| change.as_ref().map(|change| change.number);
        if number(&last) > number(&seen) {
            *seen = last;
        }
    }

    /// Declares that the store was restored from a backup, and that everyone who opted out since was added again: gives it another
    /// identity, so that runs of campaigns accept it after
    /// [`Journal::accept_suppression_store`](crate::journal::Journal::accept_suppression_store). A run that has read it ends, so use
    /// [`Journal::accept_restored_store`](crate::journal::Journal::accept_restored_store), which checks that. No number changes. Returns the identity
    /// that it had, and the one that it has.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn mark_restored(&self) -> Result<(String, String)> {
        let token = random_text()?;
        let before = self.database.write(|transaction| {
            let before = changes(transaction)?;
            transaction.execute("DELETE FROM suppression_changes", &[])?;
            transaction.execute(INSERT_FIRST, &[token.as_str().into()])?;
            Ok(before)
        })?;
        *self.seen() = None;
        Ok((before.map_or_else(String::new, |before| before.store), token))
    }

    /// The identity of the store: that of [`StoreChange::store`]. A copy has the same one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn identity(&self) -> Result<String> {
        self.changes().map(|last| last.map_or_else(String::new, |last| last.store))
    }

    /// The identity of the store, and its last change.
    fn changes(&self) -> Result<Option<StoreChange>> {
        let found = self.database.read(changes)?;
        let last = found.as_ref().and_then(|last| {
            Some(Change { number: i64::try_from(last.number).ok()?, token: last.token.clone() })
        });
        self.remember(last);
        Ok(found)
    }

    /// Whether the store has a change, the last one that this machine remembers, and as many numbers as belong to its last one.
    fn contains_change(&self, change: &StoreChange) -> Result<bool> {
        let Ok(number) = i64::try_from(change.number) else { return Ok(false) };
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let (is_complete, last) = self.database.read(|transaction| {
            let known = known_on_machine(&change.store);
            let asked = Change { number, token: change.token.clone() };
            let has_all =
                has(transaction, &asked)? && known.map_or(Ok(true), |known| has(transaction, &known))?;
            let last = Change::read(&transaction.query(LAST_CHANGE, &[])?)?;
            // Counting takes time for a large store.
            Ok((has_all && (last == *counted || has_all_numbers(transaction)?), last))
        })?;
        *counted = last.filter(|_| is_complete);
        Ok(is_complete)
    }

    /// Adds a number with its country code. Returns whether it is new. A national number such as `6912345678` is read as one with the
    /// country code 691 and protects nobody; see [`Self::is_unassigned`] and [`Self::insert_in`].
    ///
    /// # Errors
    /// When the text is not a number, or the store cannot be written.
    pub fn insert(&self, number: &str) -> Result<bool> {
        self.change(INSERT, 1, &[canonical(number, None)?])
    }

    /// Adds a number that may be in the national form of a region, such as `GR`. Digits that may be both a national number and one with
    /// its country code add both. Returns whether one is new.
    ///
    /// # Errors
    /// When the text is not a number, the region is not known, or the store cannot be written.
    pub fn insert_in(&self, number: &str, region: &str) -> Result<bool> {
        let mut numbers = vec![canonical(number, Some(region))?];
        numbers.extend(with_country_code(number).filter(|other| !numbers.contains(other)));
        // All callers lock the rows in one order.
        numbers.sort_unstable();
        self.change(INSERT, 1, &numbers)
    }

    /// Whether a number without `+` or `00` is assigned in no country, so that it probably has no country code.
    #[must_use]
    pub fn is_unassigned(number: &str) -> bool {
        normalize_number(number, None).is_ok_and(|form| is_unassigned(number, &form))
    }

    /// Removes a number. Returns whether the store contained it: false for a text that is not a number.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn delete(&self, number: &str) -> Result<bool> {
        let Ok(number) = canonical(number, None) else { return Ok(false) };
        self.change("DELETE FROM suppressed_number WHERE number = $1", -1, &[number])
    }

    /// Runs a command for each number, which adds `step` numbers to the store or does nothing.
    fn change(&self, sql: &str, step: i64, numbers: &[String]) -> Result<bool> {
        let numbers: Vec<[Value; 1]> = numbers.iter().map(|number| [number.clone().into()]).collect();
        let token = random_text()?;
        let changed = self.database.write(|transaction: &mut dyn Transaction| {
            let rows = numbers.iter().map(|number| transaction.execute(sql, number)).sum::<Result<u64>>()?;
            if rows == 0 {
                return Ok(None);
            }
            let added = i64::try_from(rows).unwrap_or_default() * step;
            while transaction.execute(INSERT_CHANGE, &[token.as_str().into(), Value::Int(added)])? == 0 {}
            let Some(last) = changes(transaction)? else { return Ok(Some(None)) };
            // A store that was set back takes new numbers, and the machine still knows what it lacks.
            let has_all = known_on_machine(&last.store).map_or(Ok(true), |known| has(transaction, &known))?;
            Ok(Some(has_all.then_some(last)))
        })?;
        if let Some(Some(last)) = &changed
            && let (Some(store), Ok(number)) = (Token::from_hex(&last.store), i64::try_from(last.number))
        {
            remember_store_change(store, number, &last.token);
            self.remember(Some(Change { number, token: last.token.clone() }));
        }
        Ok(changed.is_some())
    }
}

/// The identity of a store, which is its first change, and its last change.
fn changes(transaction: &mut dyn Transaction) -> Result<Option<StoreChange>> {
    let found = transaction.query_all(&[(CHANGE, &[Value::Int(0)]), (LAST_CHANGE, &[])])?;
    let [first, last] = found.as_slice() else { return Ok(None) };
    let (Some(first), Some(last)) = (Change::read(first)?, Change::read(last)?) else { return Ok(None) };
    let number = u64::try_from(last.number).map_err(|_| Error::Damaged("the number of a change"))?;
    Ok(Some(StoreChange { store: first.token, number, token: last.token }))
}

/// The last change of a store that this machine remembers.
fn known_on_machine(store: &str) -> Option<Change> {
    let (number, token) = known_store_change(Token::from_hex(store)?)?;
    Some(Change { number, token })
}

/// Whether a store has a change.
fn has(transaction: &mut dyn Transaction, change: &Change) -> Result<bool> {
    let found = transaction.query(CHANGE, &[change.number.into()])?;
    Ok(Change::read(&found)?.is_some_and(|found| found == *change))
}

/// Whether the store has as many numbers as it had after its last change.
fn has_all_numbers(transaction: &mut dyn Transaction) -> Result<bool> {
    let found = transaction.query(COUNTED, &[])?;
    found.first().map_or(Ok(true), |row| Ok(row.int("missing")? == 0))
}

/// A text that no other change has.
fn random_text() -> Result<String> {
    Ok(Token::random()?.to_hex())
}

fn set_back(seen: Option<&Change>, last: Option<&Change>) -> Error {
    let number = |change: Option<&Change>| change.map_or(0, |change| change.number);
    Error::Source(format!(
        "it must have its change {}, which this process has read, but its last one is {}: an older store has replaced it. Start the process again to use it",
        number(seen),
        number(last)
    ))
}

fn canonical(number: &str, region: Option<&str>) -> Result<String> {
    let number = normalize_number(number, region).map_err(|reason| match reason {
        NotANumber::Region | NotANumber::NoPlans => Error::Setting(reason.to_string()),
        _ => Error::Source(format!("number {reason}")),
    })?;
    Ok(number.into_owned())
}

impl SuppressionStore for SqlSuppressionStore {
    fn place(&self) -> Option<&str> {
        Some(Self::place(self))
    }

    fn is_suppressed<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        blocking(self, number.to_owned(), |store, number| store.contains(number))
    }

    fn are_suppressed<'a>(&'a self, numbers: &'a [String]) -> BoxFuture<'a, Result<Vec<bool>, StoreError>> {
        blocking(self, numbers.to_vec(), |store, numbers| store.contains_each(numbers))
    }

    fn add<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        blocking(self, number.to_owned(), |store, number| store.insert(number))
    }

    fn remove<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        blocking(self, number.to_owned(), |store, number| store.delete(number))
    }

    fn last_change(&self) -> BoxFuture<'_, Result<Option<StoreChange>, StoreError>> {
        blocking(self, (), |store, ()| store.changes())
    }

    fn has_change<'a>(&'a self, change: &'a StoreChange) -> BoxFuture<'a, Result<bool, StoreError>> {
        blocking(self, change.clone(), |store, change| store.contains_change(change))
    }
}
