//! A suppression store in an SQLite file or in Postgres.

use cpaas::clock::BoxFuture;
use cpaas::suppression::{StoreError, SuppressionStore};
use cpaas::text::msisdn::{NotANumber, normalize_number};

use super::database::{Database, Purpose, blocking};
use crate::error::{Error, Result};
use crate::journal::{Transaction, Value};
use crate::suppression::is_unassigned;

const INSERT: &str = "INSERT INTO suppressed_number (number) VALUES ($1) ON CONFLICT DO NOTHING";

static SUPPRESSION: Purpose = Purpose {
    name: "suppression store",
    id: "suppression",
    application_id: 0x4350_736c, // "CPsl" in ASCII
    steps: &[include_str!("database/sql/1_suppression.sql")],
    is_durable: true,
};

/// The numbers that get no SMS, in an SQLite file for the processes of one machine, or in Postgres (with the feature `postgres`) for
/// those of several. Clones share their connections.
///
/// As a [`SuppressionStore`] it needs a Tokio runtime: each command runs on a thread for blocking work, for at most four seconds. In
/// Postgres a store opens at most eight sessions; further commands wait for one. A session that is not used for five seconds is closed.
#[derive(Clone, Debug)]
pub struct SqlSuppressionStore {
    database: Database,
}

impl SqlSuppressionStore {
    /// Opens a store by a path, `sqlite:///` and a path, or `postgres://…`. A file or table that does not exist is created; only its
    /// owner can access a new file. A database in Postgres may also contain a journal or a guard.
    ///
    /// # Errors
    /// When the store cannot be created or reached, is of a newer version, or the file is not a suppression store or can be accessed by
    /// other users. Another file is not changed.
    pub fn open(url: &str) -> Result<Self> {
        Database::open(url, &SUPPRESSION).map(|database| Self { database })
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
        self.database.read(|transaction| {
            let queries: Vec<(&str, &[Value])> =
                known.iter().flatten().map(|number| (QUERY, number.as_slice())).collect();
            let mut found = transaction.query_all(&queries)?.into_iter();
            let mut contains = || found.next().is_some_and(|rows| !rows.is_empty());
            Ok(known.iter().map(|number| number.is_some() && contains()).collect())
        })
    }

    /// Adds a number with its country code. Returns whether it is new. A national number such as `6912345678` is read as one with the
    /// country code 691 and protects nobody; see [`Self::is_unassigned`] and [`Self::insert_in`].
    ///
    /// # Errors
    /// When the text is not a number, or the store cannot be written.
    pub fn insert(&self, number: &str) -> Result<bool> {
        self.change(INSERT, &[canonical(number, None)?])
    }

    /// Adds a number that may be in the national form of a region, such as `GR`. Digits that may be both a national number and one with
    /// its country code add both. Returns whether one is new.
    ///
    /// # Errors
    /// When the text is not a number, the region is not known, or the store cannot be written.
    pub fn insert_in(&self, number: &str, region: &str) -> Result<bool> {
        let mut numbers = vec![canonical(number, Some(region))?];
        numbers.extend(canonical(number, None).ok().filter(|other| !numbers.contains(other)));
        // All callers lock the rows in one order.
        numbers.sort_unstable();
        self.change(INSERT, &numbers)
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
        self.change("DELETE FROM suppressed_number WHERE number = $1", &[number])
    }

    fn change(&self, sql: &str, numbers: &[String]) -> Result<bool> {
        let numbers: Vec<[Value; 1]> = numbers.iter().map(|number| [number.clone().into()]).collect();
        self.database
            .write(|transaction: &mut dyn Transaction| {
                numbers.iter().map(|number| transaction.execute(sql, number)).sum::<Result<u64>>()
            })
            .map(|rows| rows > 0)
    }
}

fn canonical(number: &str, region: Option<&str>) -> Result<String> {
    let number = normalize_number(number, region).map_err(|reason| match reason {
        NotANumber::Region | NotANumber::NoPlans => Error::Setting(reason.to_string()),
        _ => Error::Source(format!("number {reason}")),
    })?;
    Ok(number.into_owned())
}

impl SuppressionStore for SqlSuppressionStore {
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
}
