//! The column with the time zone of a row.

use std::collections::BTreeSet;

use cpaas::printable::{MAX_NAME, printable};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::kept::missing;
use crate::notes::RowCount;
use crate::template::Columns;
use crate::window;

/// The column with the time zones, which replace that of the campaign.
pub(crate) struct ZoneColumn {
    name: String,
    /// The time zone of the campaign, if it has one. An absent zone is never replaced by another one.
    default: Option<String>,
    /// For rows without a header: whether a row had the column, and the columns of the first row.
    seen: Option<(bool, Option<Vec<String>>)>,
    defaulted: RowCount,
    /// The time zones of the rows that would be sent.
    used: BTreeSet<String>,
}

impl ZoneColumn {
    /// # Errors
    /// When the column is not one of those of every row.
    pub(crate) fn new(name: &str, default: Option<&str>, columns: Option<&[String]>) -> Result<Self> {
        match columns {
            Some(columns) if !columns.iter().any(|column| column == name) => Err(unknown(name, columns)),
            _ => Ok(Self {
                name: name.to_owned(),
                default: default.map(str::to_owned),
                seen: columns.is_none().then_some((false, None)),
                defaulted: RowCount::default(),
                used: BTreeSet::new(),
            }),
        }
    }

    /// Remembers whether a row has the column.
    pub(crate) fn observe(&mut self, columns: &Columns) {
        if let Some((seen, first)) = &mut self.seen {
            *seen |= columns.contains_key(&self.name);
            first.get_or_insert_with(|| columns.keys().cloned().collect());
        }
    }

    /// The time zone of a row, if it has one of its own.
    ///
    /// # Errors
    /// What is wrong with the value.
    pub(crate) fn of(&mut self, row: u64, columns: &Columns) -> Result<Option<String>, String> {
        let name = printable(&self.name, MAX_NAME);
        match columns.get(&self.name) {
            Some(Value::String(zone)) if window::time_zone(zone.trim()).is_ok() => {
                Ok(Some(zone.trim().to_owned()))
            }
            Some(Value::String(zone)) if !zone.trim().is_empty() => {
                Err(format!("the column `{name}` must be an IANA time zone"))
            }
            None | Some(Value::Null | Value::String(_)) if self.default.is_some() => {
                self.defaulted.add(row);
                Ok(None)
            }
            None | Some(Value::Null | Value::String(_)) => Err(format!(
                "the column `{name}` must be an IANA time zone, got none; for such rows use the setting `time_zone`, such as --time-zone Europe/Athens"
            )),
            Some(_) => {
                Err(format!("the column `{name}` must be an IANA time zone, got a value that is not text"))
            }
        }
    }

    /// Remembers the time zone of a row that would be sent: its own one, or that of the campaign.
    pub(crate) fn use_for_row(&mut self, zone: Option<&str>) {
        if let Some(zone) = zone.or(self.default.as_deref()).filter(|zone| !self.used.contains(*zone)) {
            self.used.insert(zone.to_owned());
        }
    }

    /// The time zones of the rows that would be sent.
    pub(crate) fn used(&self) -> Vec<String> {
        self.used.iter().cloned().collect()
    }

    /// # Errors
    /// When no row had the column.
    pub(crate) fn finish(&self) -> Result<()> {
        match &self.seen {
            Some((false, Some(columns))) => Err(unknown(&self.name, columns)),
            _ => Ok(()),
        }
    }

    pub(crate) fn note(&self) -> Option<String> {
        let zone = self.default.as_deref().filter(|_| !self.defaulted.is_empty())?;
        let (name, zone) = (printable(&self.name, MAX_NAME), printable(zone, MAX_NAME));
        Some(format!(
            "the column `{name}` has no time zone in {}; that of the campaign applies: {zone}",
            self.defaulted
        ))
    }
}

fn unknown(name: &str, columns: &[String]) -> Error {
    Error::Setting(format!("time_zone_column: {}", missing(name, columns)))
}
