//! Why a sandbox does not start or an account is not opened.

use std::fmt;
use std::io;
use std::path::PathBuf;

use cpaas::printable::{MAX_MESSAGE, printable};

/// Why a sandbox did not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The address or port cannot be bound.
    Listen(io::Error),
    /// The system provides no random numbers.
    Random(io::Error),
    /// The first account cannot be opened.
    Account(OpenError),
    /// No thread or runtime can be started.
    Thread(io::Error),
    /// The folder of the switch `composer` does not exist.
    Composer(PathBuf),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen(error) => write!(f, "the sandbox cannot listen: {error}"),
            Self::Random(error) => write!(f, "the system provides no random numbers: {error}"),
            Self::Account(error) => error.fmt(f),
            Self::Thread(error) => write!(f, "the sandbox cannot start a thread: {error}"),
            Self::Composer(path) => {
                let path = path.display().to_string();
                write!(f, "--composer must be a folder that exists, got {}", printable(&path, MAX_MESSAGE))
            }
        }
    }
}

impl std::error::Error for StartError {}

impl std::error::Error for OpenError {}

/// Why an account cannot be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// There are as many accounts as the switch `accounts` allows.
    Full(usize),
    /// The file of its ledger cannot be used.
    Ledger(PathBuf, io::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full(most) => {
                write!(f, "at most {most} accounts: use another sandbox, or raise --accounts")
            }
            Self::Ledger(path, error) => {
                let path = path.display().to_string();
                let path = printable(&path, MAX_MESSAGE);
                write!(f, "the ledger of --db cannot be kept in the file {path}: {error}")
            }
        }
    }
}
