//! A damaged backup gets no new identity.

use std::fs;

use crate::support::{Scratch, create, open};
use cpaas_campaign::Error;
use cpaas_campaign::journal::{Journal, Settings};

#[test]
fn a_damaged_file_is_declared_neither_as_moved_nor_as_restored() {
    let scratch = Scratch::file();
    create(&mut open(&scratch.url_of_file()), "c", 3000, Settings::default());
    let copy = scratch.path().with_file_name("copy.db");
    let good = fs::read(scratch.path()).unwrap();
    let mut bytes = good.clone();
    let middle = bytes.len() / 8192 * 4096;
    bytes[middle..middle + 64].fill(0xA5);
    fs::copy(scratch.path(), &copy).unwrap(); // with its mode
    fs::write(&copy, &bytes).unwrap();
    let url = copy.display().to_string();
    for declared in [Journal::mark_moved(&url), Journal::mark_restored(&url, false).map(|_| ())] {
        assert!(matches!(declared, Err(Error::Damaged(_))), "{declared:?}");
        assert_eq!(fs::read(&copy).unwrap(), bytes, "the file is unchanged");
    }
    fs::write(&copy, &good).unwrap();
    Journal::mark_restored(&url, false).unwrap();
}
