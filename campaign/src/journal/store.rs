//! The interface to a database: transactions of plain SQL.
//!
//! Statements use `$1`, `$2`, … in the order of their first use, and only SQL that SQLite and Postgres share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Result};

/// A value of a column or parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// SQL `NULL`.
    Null,
    /// A 64-bit integer.
    Int(i64),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<Vec<u8>> for Value {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<u16> for Value {
    fn from(value: u16) -> Self {
        Self::Int(value.into())
    }
}

impl From<crate::protocol::Token> for Value {
    fn from(value: crate::protocol::Token) -> Self {
        Self::Bytes(value.as_bytes().to_vec())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// One row of a result. Its columns are read by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    names: Arc<[String]>,
    values: Vec<Value>,
}

impl Row {
    /// A row with the names of its columns, which all rows of a result share, and their values.
    #[must_use]
    pub const fn new(names: Arc<[String]>, values: Vec<Value>) -> Self {
        Self { names, values }
    }

    fn value(&self, column: &str) -> Option<&Value> {
        let index = self.names.iter().position(|name| name == column)?;
        self.values.get(index)
    }

    /// An integer column.
    ///
    /// # Errors
    /// When the column is missing or of another type.
    pub fn int(&self, column: &str) -> Result<i64> {
        match self.value(column) {
            Some(Value::Int(value)) => Ok(*value),
            _ => Err(Error::Damaged("a column must be an integer")),
        }
    }

    /// An integer column that may be `NULL`.
    ///
    /// # Errors
    /// When the column is missing or of another type.
    pub fn optional_int(&self, column: &str) -> Result<Option<i64>> {
        match self.value(column) {
            Some(Value::Null) => Ok(None),
            _ => self.int(column).map(Some),
        }
    }

    /// A text column.
    ///
    /// # Errors
    /// When the column is missing or of another type.
    pub fn text(&self, column: &str) -> Result<&str> {
        self.optional_text(column)?.ok_or(Error::Damaged("a column must be text"))
    }

    /// A text column that may be `NULL`.
    ///
    /// # Errors
    /// When the column is missing or of another type.
    pub fn optional_text(&self, column: &str) -> Result<Option<&str>> {
        match self.value(column) {
            Some(Value::Text(value)) => Ok(Some(value)),
            Some(Value::Null) => Ok(None),
            _ => Err(Error::Damaged("a column must be text")),
        }
    }

    /// A column of bytes; `None` for `NULL`.
    ///
    /// # Errors
    /// When the column is missing or of another type.
    pub fn bytes(&self, column: &str) -> Result<Option<&[u8]>> {
        match self.value(column) {
            Some(Value::Bytes(value)) => Ok(Some(value)),
            Some(Value::Null) => Ok(None),
            _ => Err(Error::Damaged("a column must be bytes")),
        }
    }

    /// A column with a token.
    ///
    /// # Errors
    /// When it does not have 16 bytes.
    pub fn token(&self, column: &str) -> Result<crate::protocol::Token> {
        let bytes = self.bytes(column)?.and_then(|bytes| bytes.try_into().ok());
        bytes.map(crate::protocol::Token::from_bytes).ok_or(Error::Damaged("a token must have 16 bytes"))
    }
}

/// The work of one transaction. It may run several times and must have the same result each time.
pub type Work<'w> = &'w mut dyn FnMut(&mut dyn Transaction) -> Result<()>;

/// One open transaction.
pub trait Transaction {
    /// Runs a statement that returns rows.
    ///
    /// # Errors
    /// When the database fails.
    fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>>;

    /// Runs a statement and returns the number of rows that it changed.
    ///
    /// # Errors
    /// When the database fails.
    fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64>;

    /// Runs statements without parameters, separated by semicolons.
    ///
    /// # Errors
    /// When the database fails.
    fn run_script(&mut self, sql: &str) -> Result<()>;

    /// Runs queries one after the other and returns the rows of each. A database server receives all of them at once.
    ///
    /// # Errors
    /// When the database fails.
    fn query_all(&mut self, queries: &[(&str, &[Value])]) -> Result<Vec<Vec<Row>>> {
        queries.iter().map(|(sql, parameters)| self.query(sql, parameters)).collect()
    }

    /// Runs a statement before the next query or the commit, and sends both to a database server at once. That query or commit
    /// reports a failure of the statement.
    ///
    /// # Errors
    /// When the database fails.
    fn execute_later(&mut self, sql: &str, parameters: &[Value]) -> Result<()> {
        self.execute(sql, parameters).map(|_| ())
    }

    /// The database's clock, in microseconds since 1970.
    ///
    /// # Errors
    /// When the database fails.
    fn now_us(&mut self) -> Result<i64>;
}

/// What an operator declares about a journal that is not the one that was written last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declaration {
    /// Nothing is lost: it was moved while all workers were stopped.
    Moved,
    /// It may lack commits.
    Restored,
}

/// Where a journal is that gets a new identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// In its place: it is certainly the one that workers on this machine use.
    InPlace,
    /// It may be the one that workers use. A clone of a server looks the same, and a copy may have got the identity of this one.
    Uncertain,
    /// Not in its place: workers use another one.
    Elsewhere,
}

/// The work of a transaction that gives a journal a new identity. It may run several times and must have the same result each time.
pub type DeclarationWork<'w> = &'w mut dyn FnMut(&mut dyn Transaction, Location) -> Result<()>;

/// Returns false as soon as the files of an open journal were replaced. Any thread may call it.
pub type Watch = Arc<dyn Fn() -> bool + Send + Sync>;

/// A database with durable commits.
pub trait Store: Send {
    /// Runs a transaction that writes; such transactions run one after the other. `Ok` means that the commit is durable. If it
    /// is uncertain whether a commit is durable, the work may run again.
    ///
    /// # Errors
    /// When the work fails, or when it remains uncertain whether the commit is durable.
    fn write(&mut self, work: Work<'_>) -> Result<()>;

    /// Runs a transaction that only reads, on one consistent snapshot.
    ///
    /// # Errors
    /// When the work fails.
    fn read(&mut self, work: Work<'_>) -> Result<()>;

    /// Runs a transaction that also gives the journal a new identity. Its present identity is not compared.
    ///
    /// # Errors
    /// When the work fails, or when a journal that is declared as moved has certainly lost commits.
    fn declare(&mut self, declaration: Declaration, work: DeclarationWork<'_>) -> Result<()>;

    /// Removes deleted content from the files of the store. The server of a database decides that by itself.
    ///
    /// # Errors
    /// [`Error::NotErased`] when another process reads the store, or when the disk fails.
    fn erase_deleted(&mut self) -> Result<()> {
        Ok(())
    }

    /// Copies one moment of the journal to a new file, and returns its size.
    ///
    /// # Errors
    /// When the file exists or cannot be written, the copy is damaged, or the database has other means for a backup.
    fn backup(&mut self, _file: &Path) -> Result<u64> {
        Err(Error::Setting("this journal has no backup of its own; use that of its database".to_owned()))
    }

    /// What the database itself finds damaged.
    ///
    /// # Errors
    /// When the database fails.
    fn integrity(&mut self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// The files that contain the journal now, without the lock file; empty for a database server.
    fn files(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Makes a journal in files one complete file, if nobody uses it at this moment.
    fn complete(&mut self) {}

    /// Observes whether the files of the journal are replaced.
    fn watch(&self) -> Option<Watch> {
        None
    }

    /// The path of the file, or the address of the database without its password.
    fn place(&self) -> String;

    /// The type of a column of bytes.
    fn bytes_type(&self) -> &'static str;

    /// Whether the store was opened for reading only.
    fn is_read_only(&self) -> bool;

    /// Why a store that was opened for reading only would be refused for writing.
    fn warning(&self) -> Option<&Error>;
}

/// An error and its cause, such as a refused connection.
#[cfg(feature = "postgres")]
pub(super) fn with_cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}
