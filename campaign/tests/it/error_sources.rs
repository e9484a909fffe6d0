//! An error of the journal has the error of the system as its source.

use std::error::Error as _;
use std::io;

use cpaas_campaign::Error;
use cpaas_campaign::journal::Journal;

#[test]
fn a_journal_that_cannot_be_opened_has_the_error_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let error = Journal::backup("/nowhere/x.db", &folder.path().join("y.db")).unwrap_err();
    assert!(matches!(error, Error::Open { .. }), "{error}");
    let source = error.source().unwrap().downcast_ref::<io::Error>().unwrap();
    assert_eq!(source.kind(), io::ErrorKind::NotFound);
}

/// The error that returns the journal too has the same source.
#[test]
fn the_error_of_a_thread_has_the_error_of_the_system() {
    let error = Error::Thread(io::Error::from(io::ErrorKind::WouldBlock));
    let kind = error.source().unwrap().downcast_ref::<io::Error>().unwrap().kind();
    assert_eq!(kind, io::ErrorKind::WouldBlock);
    let returned = cpaas_campaign::ErrorWithJournal { error, journal: None };
    assert!(returned.source().unwrap().is::<io::Error>());
}
