//! What a plan and a creation tell about rows that break no rule, and are probably not meant to be sent as they are.

use std::collections::BTreeMap;
use std::fmt;

use cpaas::printable::{MAX_NAME, printable};
use serde_json::Value;

use crate::template::Columns;

/// The number of rows that a note names.
const NAMED_ROWS: usize = 3;
/// Cells that a program wrote for an absent value.
const ABSENT: [&str; 11] =
    ["null", "(null)", "none", "nan", "nat", "n/a", "#n/a", "<na>", "undefined", "\\n", "#value!"];

/// A number of rows, and the first of them.
#[derive(Debug, Default)]
pub(crate) struct RowCount {
    count: u64,
    first: Vec<u64>,
}

impl RowCount {
    pub(crate) fn add(&mut self, row: u64) {
        self.count += 1;
        if self.first.len() < NAMED_ROWS {
            self.first.push(row);
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl fmt::Display for RowCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first: Vec<String> = self.first.iter().map(u64::to_string).collect();
        let more = if self.count > first.len() as u64 { ", …" } else { "" };
        let word = if self.count == 1 { "row" } else { "rows" };
        write!(f, "{} {word} ({}{more})", self.count, first.join(", "))
    }
}

/// The empty cells of the columns that a template uses.
#[derive(Debug, Default)]
pub(crate) struct CellNotes {
    columns: BTreeMap<String, Cells>,
}

#[derive(Debug, Default)]
struct Cells {
    empty: RowCount,
    absent: RowCount,
}

impl CellNotes {
    pub(crate) fn new(columns: impl IntoIterator<Item = String>) -> Self {
        Self { columns: columns.into_iter().map(|column| (column, Cells::default())).collect() }
    }

    /// Also counts these columns, which the keys of the first row show.
    pub(crate) fn watch(&mut self, columns: impl IntoIterator<Item = String>) {
        for column in columns {
            self.columns.entry(column).or_default();
        }
    }

    /// Counts a row that would be sent. A value that is null is not counted, because the template has a default for it.
    pub(crate) fn add(&mut self, row: u64, columns: &Columns) {
        for (name, cells) in &mut self.columns {
            let Some(text) = columns.get(name).and_then(Value::as_str).map(str::trim) else { continue };
            if text.is_empty() {
                cells.empty.add(row);
            } else if ABSENT.iter().any(|absent| text.eq_ignore_ascii_case(absent)) {
                cells.absent.add(row);
            }
        }
    }

    pub(crate) fn texts(&self) -> impl Iterator<Item = String> {
        self.columns.iter().flat_map(|(name, cells)| {
            let name = printable(name, MAX_NAME);
            let empty = format!("the column `{name}`, which the template uses, is empty in {}", cells.empty);
            let absent = format!(
                "the column `{name}`, which the template uses, has a text such as NULL, None, nan or #N/A in {}",
                cells.absent
            );
            let both = [(empty, &cells.empty), (absent, &cells.absent)];
            both.into_iter().filter(|(_, rows)| !rows.is_empty()).map(|(text, _)| text).collect::<Vec<_>>()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn empty_cells_are_counted_with_three_rows() {
        let mut notes = CellNotes::new(["name".to_owned(), "city".to_owned()]);
        let cells =
            [json!(""), json!(" "), json!("Ann"), json!("NULL"), json!(null), json!(""), json!(""), json!(7)];
        for (row, cell) in (1..).zip(cells) {
            notes.add(row, json!({"name": cell, "city": "Athens"}).as_object().unwrap());
        }
        let found: Vec<String> = notes.texts().collect();
        assert_eq!(
            found,
            [
                "the column `name`, which the template uses, is empty in 4 rows (1, 2, 6, …)",
                "the column `name`, which the template uses, has a text such as NULL, None, nan or #N/A in 1 row (4)",
            ]
        );
    }
}
