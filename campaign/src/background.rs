//! Work that blocks, on threads of its own: it neither blocks a runtime nor waits for a free thread of its pool.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;

use tokio::sync::oneshot;

use crate::error::Error;
use crate::error_with_journal::ErrorWithJournal;
use crate::journal::Journal;

/// Runs work on a new thread. The receiver gets its result, or an error if the work panicked.
pub(crate) fn run<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<oneshot::Receiver<T>> {
    let (finished, result) = oneshot::channel();
    let work = move || drop(finished.send(work()));
    thread::Builder::new().name(name.to_owned()).spawn(work)?;
    Ok(result)
}

/// Calls a function of the caller. Its panic is an error, so that the journal is not lost.
pub(crate) fn call(name: &'static str, function: impl FnOnce()) -> Result<(), Error> {
    catch_unwind(AssertUnwindSafe(function)).map_err(|_| Error::Panicked(name))
}

/// As [`run`], for work that needs the journal. If the thread cannot be started, the journal is in the error.
pub(crate) fn run_with<T: Send + 'static>(
    name: &str,
    journal: Journal,
    work: impl FnOnce(Journal) -> T + Send + 'static,
) -> Result<oneshot::Receiver<T>, ErrorWithJournal> {
    let (finished, result) = oneshot::channel();
    let (give, take) = mpsc::channel();
    let body = move || {
        if let Ok(journal) = take.recv() {
            let _ = finished.send(work(journal));
        }
    };
    match thread::Builder::new().name(name.to_owned()).spawn(body) {
        Ok(_) => {
            let _ = give.send(journal);
            Ok(result)
        }
        Err(error) => Err(ErrorWithJournal { error: Error::Thread(error), journal: Some(journal) }),
    }
}
