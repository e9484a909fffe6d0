//! Columns of the rows that a campaign keeps, and exports with the outcomes; and the column with the caller's key.

use std::collections::BTreeSet;
use std::sync::Arc;

use cpaas::printable::{MAX_NAME, printable};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::source::header::{alias, column_by_alias, listed_columns};
use crate::template::Columns;

/// The columns of an export, before those that the campaign keeps.
pub const OWN_COLUMNS: &[&str] =
    &["row", "outcome", "reason", "message_id", "recipients", "attempts", "delivery", "line"];

/// The setting with the columns to keep.
const KEEP: &str = "keep";

/// The kept columns of one row, in the order of the setting `keep`. `Debug` does not show values.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Kept(Vec<(Arc<str>, Value)>);

impl Kept {
    pub(crate) fn new(names: &[Arc<str>], values: impl IntoIterator<Item = Value>) -> Self {
        let values = values.into_iter().chain(std::iter::repeat(Value::Null));
        Self(names.iter().cloned().zip(values).collect())
    }

    /// Whether no column is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    /// The value of a column as text: a string as it is, another value as JSON; `None` for null.
    #[must_use]
    pub fn text(&self, column: usize) -> Option<String> {
        match self.0.get(column).map(|(_, value)| value) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(value) => Some(value.to_string()),
        }
    }
}

impl Serialize for Kept {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(&**name, value)?;
        }
        map.end()
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// The caller's key of a row, such as the number of a customer. `Debug` does not show it.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct RowId(pub Value);

impl std::fmt::Debug for RowId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RowId(…)")
    }
}

/// The names of the columns that a campaign keeps, or of the column with the caller's key.
pub(crate) struct KeptColumns {
    /// The setting with these names.
    setting: &'static str,
    names: Vec<Arc<str>>,
    /// For rows without a header: which of the names a row had, and the columns of the first row.
    seen: Option<(Vec<bool>, Option<Vec<String>>)>,
}

impl KeptColumns {
    /// Checks the names. `columns` are those of every row, if the rows have a header.
    ///
    /// # Errors
    /// When a name is empty, occurs twice, is a column of exports, or is not a column.
    pub(crate) fn new(names: &[String], columns: Option<&[String]>) -> Result<Self> {
        if let Some(name) = names.iter().find(|name| OWN_COLUMNS.contains(&name.as_str())) {
            let shown = printable(name, MAX_NAME);
            let rule = format!("`{shown}` is a column of every export; rename the column of the file");
            return Err(Error::Setting(format!("{KEEP}: {rule}")));
        }
        Self::checked(KEEP, names, columns)
    }

    /// Checks the name of the column with the caller's key.
    ///
    /// # Errors
    /// When the name is empty or not a column.
    pub(crate) fn id(name: &str, columns: Option<&[String]>) -> Result<Self> {
        Self::checked("id", &[name.to_owned()], columns)
    }

    fn checked(setting: &'static str, names: &[String], columns: Option<&[String]>) -> Result<Self> {
        let mut known = BTreeSet::new();
        for name in names {
            let shown = printable(name, MAX_NAME);
            let rule = match name.as_str() {
                "" => "a name must not be empty".to_owned(),
                name if !known.insert(name) => format!("each column must occur once, got `{shown}` twice"),
                name => match columns {
                    Some(columns) if !columns.iter().any(|column| column == name) => missing(name, columns),
                    _ => continue,
                },
            };
            return Err(Error::Setting(format!("{setting}: {rule}")));
        }
        let seen = columns.is_none().then(|| (vec![false; names.len()], None));
        Ok(Self { setting, names: names.iter().map(|name| name.as_str().into()).collect(), seen })
    }

    /// The values of a row.
    pub(crate) fn of(&mut self, columns: &Columns) -> Vec<Value> {
        if let Some((seen, first)) = &mut self.seen {
            for (seen, name) in seen.iter_mut().zip(&self.names) {
                *seen |= columns.contains_key(&**name);
            }
            first.get_or_insert_with(|| columns.keys().cloned().collect());
        }
        self.names.iter().map(|name| columns.get(&**name).cloned().unwrap_or_default()).collect()
    }

    /// The values of a row with their names.
    pub(crate) fn named(&self, values: &[Value]) -> Kept {
        Kept::new(&self.names, values.iter().cloned())
    }

    /// # Errors
    /// When no row had one of the columns.
    pub(crate) fn finish(&self) -> Result<()> {
        let Some((seen, Some(first))) = &self.seen else { return Ok(()) };
        let unseen = seen.iter().zip(&self.names).find(|(seen, _)| !**seen);
        unseen.map_or(Ok(()), |(_, name)| {
            Err(Error::Setting(format!("{}: {}", self.setting, missing(name, first))))
        })
    }
}

/// The error of a column that no row has.
pub(crate) fn missing(name: &str, columns: &[String]) -> String {
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let alias = column_by_alias(columns.iter().copied(), &alias(name));
    let meant =
        alias.map(|column| format!("; perhaps `{}`", printable(column, MAX_NAME))).unwrap_or_default();
    let known =
        listed_columns("got the columns", &columns, |column| printable(column, MAX_NAME).into_owned());
    format!("expected the column `{}`, {known}{meant}", printable(name, MAX_NAME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(names: &[&str], columns: Option<&[String]>) -> String {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        KeptColumns::new(&names, columns).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn names_are_columns_that_differ_from_those_of_exports() {
        let columns = ["phone", "id"].map(str::to_owned);
        let columns = Some(&columns[..]);
        assert_eq!(
            error(&["row"], columns),
            "keep: `row` is a column of every export; rename the column of the file"
        );
        assert_eq!(
            error(&["ID"], columns),
            "keep: expected the column `ID`, got the columns phone, id; perhaps `id`"
        );
        assert_eq!(error(&["id", "id"], columns), "keep: each column must occur once, got `id` twice");
        assert_eq!(error(&[""], None), "keep: a name must not be empty");
        let error = |name| KeptColumns::id(name, columns).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error("ID"), "id: expected the column `ID`, got the columns phone, id; perhaps `id`");
        assert_eq!(error(""), "id: a name must not be empty");
        let columns = ["Phone", "Customer No", "customer-no"].map(str::to_owned);
        let message = |name: &str, columns: &[String]| missing(name, columns);
        let expected = "expected the column `customer_no`, got the columns Phone, Customer No";
        assert_eq!(message("customer_no", &columns[..2]), format!("{expected}; perhaps `Customer No`"));
        assert_eq!(message("customer_no", &columns), format!("{expected}, customer-no"), "two columns");
        let columns = ["row".to_owned()];
        assert!(KeptColumns::id("row", Some(&columns)).is_ok(), "a plan has no column with this name");
    }

    #[test]
    fn rows_without_a_header_must_have_each_column_once() {
        let names = ["id".to_owned(), "vip".to_owned()];
        let mut keep = KeptColumns::new(&names, None).unwrap();
        assert!(keep.finish().is_ok(), "without rows");
        let row = |value: Value| value.as_object().unwrap().clone();
        assert_eq!(keep.of(&row(json!({"id": 7, "phone": "1"}))), [json!(7), Value::Null]);
        assert_eq!(
            keep.finish().unwrap_err().to_string(),
            "keep: expected the column `vip`, got the columns id, phone"
        );
        let values = keep.of(&row(json!({"vip": true})));
        assert!(keep.finish().is_ok());
        let kept = keep.named(&values);
        assert_eq!(serde_json::to_string(&kept).unwrap(), r#"{"id":null,"vip":true}"#);
        assert_eq!(
            (kept.text(0), kept.text(1), format!("{kept:?}")),
            (None, Some("true".to_owned()), r#"["id", "vip"]"#.to_owned())
        );
    }
}
