//! Every row of the acceptance table has a test or is listed as a row without a test.

use std::path::Path;

use cpaas_tests::acceptance_table::Coverage;

fn read() -> Coverage {
    Coverage::read(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()).unwrap()
}

#[test]
fn the_table_has_every_row() {
    let numbers: Vec<u16> = read().rows.iter().map(|row| row.number).collect();
    assert_eq!(numbers, (1..=204).collect::<Vec<_>>());
}

#[test]
fn every_row_has_a_test_or_is_listed_as_untested() {
    let coverage = read();
    let untested: Vec<u16> = coverage.missing().difference(&coverage.excused).copied().collect();
    assert!(untested.is_empty(), "rows without a test: {untested:?}");
}

#[test]
fn every_test_has_a_row() {
    assert_eq!(read().strays(), Vec::<&str>::new());
}

#[test]
fn no_row_with_a_test_is_listed_as_untested() {
    let coverage = read();
    let stale: Vec<u16> = coverage.excused.difference(&coverage.missing()).copied().collect();
    assert!(stale.is_empty(), "rows listed as having no test, although they have one: {stale:?}");
}
