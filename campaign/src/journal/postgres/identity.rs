//! The identity of a journal in a database. The row that every transaction locks contains the number of the last transaction that
//! wrote (the serial), the id that this transaction had on the server, the epoch of the journal, and the server and database.
//!
//! A row that was loaded from a dump was written by another transaction than the one that it names. The ids of the other tables
//! show that one of them was restored alone.

use super::in_recovery;
use crate::error::{Error, Result};
use crate::identity_mismatch::{IdentityMismatch, RETIRED, Witness};
use crate::journal::state_folder::{Retirement, StateFile};
use crate::journal::store::{Declaration, Location, Row, Transaction};
use crate::protocol::Token;

/// How a transaction compares the identity of the journal.
#[derive(Debug, Clone, Copy)]
pub(super) enum Identity {
    /// The journal is opened. If it is new, it gets this epoch.
    Open(Token),
    /// The journal is opened for reading: the highest serial that the state folder remembered before.
    Read(i64),
    /// The journal is open: its epoch, and the highest serial that this worker has seen.
    Same(Token, i64),
    /// The journal gets this epoch.
    Declare(Token, Declaration),
}

/// The locked row, compared, and what the transaction writes into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Locked {
    /// The value of the row.
    pub(super) value: String,
    /// The serial of this transaction.
    pub(super) serial: i64,
    pub(super) epoch: Token,
    /// The epoch whose journals are refused from now on, because the transaction gives the journal another one.
    pub(super) retired: Option<Retirement>,
    /// System identifier, timeline and database of the server that responds, and the ids of the tables.
    server: String,
}

impl Locked {
    /// Reads the reply to `LOCK` or `READ`.
    pub(super) fn read(row: &Row, identity: Identity) -> Result<Result<Self, IdentityMismatch>> {
        let server = row.optional_text("server")?.ok_or_else(in_recovery)?.to_owned();
        let value = row.text("lock")?.to_owned();
        let stored = Stored::parse(&value);
        let serial = stored.as_ref().map_or(0, |stored| stored.serial);
        let found = match (identity, &stored) {
            (Identity::Open(new), None) if value.is_empty() && row.int("is_new")? != 0 => Ok((new, serial)),
            (Identity::Declare(new, Declaration::Restored), _) => {
                let highest = stored.as_ref().map_or(0, |stored| StateFile::existing(stored.epoch).highest());
                Ok((new, if highest == RETIRED { serial } else { serial.max(highest) }))
            }
            (Identity::Declare(new, Declaration::Moved), None) => Ok((new, serial)),
            (Identity::Declare(new, Declaration::Moved), Some(stored)) => {
                stored.check_state_folder().map(|()| (new, serial))
            }
            (_, None) => Err(IdentityMismatch::NoIdentity),
            (Identity::Read(remembered), Some(stored)) => stored
                .check_place(&server, row.text("xmin")?)
                .and_then(|()| stored.check_witness(Witness::StateFolder, remembered))
                .map(|()| (stored.epoch, serial)),
            (Identity::Open(_), Some(stored)) => stored
                .check_place(&server, row.text("xmin")?)
                .and_then(|()| stored.check_state_folder())
                .map(|()| (stored.epoch, serial)),
            (Identity::Same(epoch, seen), Some(stored)) => {
                let compared = stored
                    .check_place(&server, row.text("xmin")?)
                    .and_then(|()| stored.check_witness(Witness::Worker, seen));
                if compared.is_ok() && stored.epoch != epoch {
                    return Err(Error::Replaced);
                }
                compared.map(|()| (epoch, serial))
            }
        };
        let retired = match (identity, stored) {
            // A transaction that runs again after a lost reply finds the epoch that it wrote itself.
            (Identity::Declare(new, Declaration::Moved), Some(stored)) if stored.epoch != new => {
                Some(Retirement { epoch: stored.epoch, at: Some(stored.serial) })
            }
            // After `restored` no row is sent that the original may send. A clone of the server cannot be told from the original.
            _ => None,
        };
        Ok(found.map(|(epoch, last)| Self { value, serial: last + 1, epoch, retired, server }))
    }

    /// The SQL of the new value, up to the id of the transaction and after it.
    pub(super) fn new_value(&self) -> String {
        let Self { serial, epoch, server, .. } = self;
        format!("'{serial} ' || pg_current_xact_id()::text || ' {} {server}'", epoch.to_hex())
    }
}

/// Carries out the last retirement, which a kill after the commit of `moved` may have prevented. The caller has the lock of the journal.
pub(super) fn finish_retirement(transaction: &mut dyn Transaction) -> Result<Result<(), IdentityMismatch>> {
    let sql = "SELECT (SELECT value FROM meta WHERE name = 'retired') AS retired, value AS lock
        FROM meta WHERE name = 'lock'";
    let found = transaction.query(sql, &[])?;
    let Some(row) = found.first() else { return Ok(Ok(())) };
    let retirement = row.optional_text("retired")?.and_then(Retirement::parse);
    let own = Stored::parse(row.text("lock")?);
    Ok(retirement.zip(own).map_or(Ok(()), |(retirement, own)| retirement.carry_out(own.epoch)))
}

/// Stores the epoch that a transaction replaces. One that runs again after a lost reply finds the new epoch, which stays.
pub(super) fn store_retirement(transaction: &mut dyn Transaction, new: Token) -> Result<()> {
    let sql = "INSERT INTO meta (name, value)
        SELECT 'retired', split_part(value, ' ', 3) || ' ' || split_part(value, ' ', 1) FROM meta
        WHERE name = 'lock' AND value <> '' AND split_part(value, ' ', 3) <> $1
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    transaction.execute(sql, &[new.to_hex().into()]).map(|_| ())
}

/// Where the journal is that contains this row, the result of `READ`.
pub(super) fn location(row: &Row) -> Result<Location> {
    let server = row.optional_text("server")?.ok_or_else(in_recovery)?;
    let stored = Stored::parse(row.text("lock")?);
    let xmin = row.text("xmin")?;
    let is_same = stored.is_some_and(|stored| stored.check_place(server, xmin).is_ok());
    Ok(if is_same { Location::Uncertain } else { Location::Elsewhere })
}

/// The highest serial that the state folder remembers of the journal in the locked row.
pub(super) fn highest_in_state_folder(row: &Row) -> Result<i64> {
    let stored = Stored::parse(row.text("lock")?);
    Ok(stored.map_or(0, |stored| StateFile::existing(stored.epoch).highest()))
}

/// The position of the ids of the tables among the words about the server.
const TABLES: usize = 3;

/// The words about the server: system identifier, timeline, database and the ids of the tables.
fn words(server: &str) -> Vec<&str> {
    server.split(':').collect()
}

/// The value of the locked row.
struct Stored {
    serial: i64,
    transaction: u64,
    epoch: Token,
    server: String,
}

impl Stored {
    fn parse(value: &str) -> Option<Self> {
        let mut words = value.split(' ');
        Some(Self {
            serial: words.next()?.parse().ok()?,
            transaction: words.next()?.parse().ok()?,
            epoch: Token::from_hex(words.next()?)?,
            server: words.next()?.to_owned(),
        })
    }

    /// Compares server, timeline, database and tables, and that the row was written by the transaction that it names. `xmin` is the lower
    /// half of the id of the transaction that wrote the row; a vacuum keeps it.
    fn check_place(&self, server: &str, xmin: &str) -> Result<(), IdentityMismatch> {
        let (stored, found) = (words(&self.server), words(server));
        let kinds =
            [IdentityMismatch::OtherServer, IdentityMismatch::OtherTimeline, IdentityMismatch::OtherDatabase];
        for (index, mismatch) in kinds.into_iter().enumerate() {
            if stored.get(index) != found.get(index) {
                return Err(mismatch);
            }
        }
        let written_by: Option<u64> = xmin.parse().ok();
        if written_by.is_none_or(|xmin| self.transaction & u64::from(u32::MAX) != xmin) {
            return Err(IdentityMismatch::Loaded);
        }
        // The first transaction of a journal creates the tables, and a newer version adds some.
        let tables = |words: &[&str]| -> Vec<String> {
            let ids = words.get(TABLES).into_iter().flat_map(|ids| ids.split('+'));
            ids.filter(|id| !id.is_empty()).map(str::to_owned).collect()
        };
        match tables(&found).starts_with(&tables(&stored)) {
            true => Ok(()),
            false => Err(IdentityMismatch::OtherTables),
        }
    }

    /// Compares the state folder. The caller has the lock of the journal, or workers may raise what the folder remembers meanwhile.
    fn check_state_folder(&self) -> Result<(), IdentityMismatch> {
        self.check_witness(Witness::StateFolder, StateFile::existing(self.epoch).highest())
    }

    const fn check_witness(&self, witness: Witness, remembered: i64) -> Result<(), IdentityMismatch> {
        IdentityMismatch::of_witness(witness, remembered, self.serial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_another_transaction_wrote_was_loaded_from_a_dump() {
        let epoch = Token::from_bytes([7; 16]);
        let value = format!("12 {} {} 71:00000001:5", (3_u64 << 32) + 900, epoch.to_hex());
        let stored = Stored::parse(&value).unwrap();
        assert_eq!(stored.check_place("71:00000001:5", "900"), Ok(()));
        assert_eq!(stored.check_place("71:00000001:5", "901"), Err(IdentityMismatch::Loaded));
        assert_eq!(stored.check_place("72:00000001:5", "900"), Err(IdentityMismatch::OtherServer));
        assert_eq!(stored.check_place("71:00000002:5", "900"), Err(IdentityMismatch::OtherTimeline));
        assert_eq!(stored.check_place("71:00000001:6", "900"), Err(IdentityMismatch::OtherDatabase));
        assert_eq!(stored.check_place("71:00000001:5:11+12", "900"), Ok(()));
        let value = format!("{value}:11+12");
        let stored = Stored::parse(&value).unwrap();
        assert_eq!(stored.check_place("71:00000001:5:11+12", "900"), Ok(()));
        assert_eq!(stored.check_place("71:00000001:5:11+13", "900"), Err(IdentityMismatch::OtherTables));
        assert_eq!(stored.check_place("71:00000001:5:11", "900"), Err(IdentityMismatch::OtherTables));
        assert_eq!(stored.check_place("71:00000001:5:11+123", "900"), Err(IdentityMismatch::OtherTables));
        assert_eq!(stored.check_place("71:00000001:5:11+12+13", "900"), Ok(()), "a table of a newer version");
        let new = Stored::parse(&value.replace("11+12", "")).unwrap();
        assert_eq!(new.check_place("71:00000001:5:11+12", "900"), Ok(()));
        assert!(Stored::parse("12").is_none(), "the form of an older version");
    }
}
