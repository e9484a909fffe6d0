//! The `repr` of an array: its type and its first rows, without the values of people.

use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use cpaas::printable::{MAX_NAME, printable};
use pyo3::prelude::*;

use super::fields::type_label;
use super::python_values::{Reader, reader};

/// The number of rows that are shown.
const ROWS: usize = 5;

/// The columns of results with codes of this library or of the price list. Other columns of text are hidden.
const CODES: [&str; 9] =
    ["encoding", "region", "type", "code", "severity", "pointer", "prefix", "currency", "unpriced"];

/// `hidden` is the number of the first columns that are not shown.
pub(super) fn repr(py: Python<'_>, field: &Field, chunks: &[ArrayData], hidden: usize) -> PyResult<String> {
    let rows: usize = chunks.iter().map(ArrayData::len).sum();
    let label = type_label(field.data_type());
    let label = printable(&label, 2000);
    let mut text = format!("<cpaas.arrow.ArrowArray: {rows} rows of {label}");
    if let DataType::Struct(fields) = field.data_type() {
        let mut left = ROWS;
        for chunk in chunks {
            if left == 0 {
                break;
            }
            let columns: Vec<Column<'_>> = fields
                .iter()
                .zip(chunk.child_data())
                .enumerate()
                .map(|(index, (member, child))| Column::new(py, member, child, index >= hidden))
                .collect::<PyResult<_>>()?;
            for row in 0..chunk.len().min(left) {
                let is_null = chunk.nulls().is_some_and(|nulls| nulls.is_null(row));
                text.push_str(&if is_null {
                    "\n  null".to_owned()
                } else {
                    line(py, &columns, chunk.offset() + row)?
                });
            }
            left -= chunk.len().min(left);
        }
        if rows > ROWS {
            text.push_str("\n  …");
        }
    }
    text.push('>');
    Ok(text)
}

/// A column; without a reader it is hidden.
struct Column<'a> {
    name: String,
    read: Option<Reader<'a>>,
}

impl<'a> Column<'a> {
    fn new(py: Python<'_>, field: &Field, data: &'a ArrayData, is_own: bool) -> PyResult<Self> {
        let is_code = |name: &str| CODES.iter().any(|code| name.ends_with(code));
        let is_shown = is_own
            && match field.data_type() {
                DataType::Boolean | DataType::Decimal128(..) => true,
                DataType::Utf8 => is_code(field.name()),
                DataType::Dictionary(_, values) => **values == DataType::Utf8 && is_code(field.name()),
                other => other.is_integer(),
            };
        let read = if is_shown { Some(reader(py, data)?) } else { None };
        Ok(Self { name: printable(field.name(), MAX_NAME).into_owned(), read })
    }
}

fn line(py: Python<'_>, columns: &[Column<'_>], row: usize) -> PyResult<String> {
    let mut text = "\n ".to_owned();
    for column in columns {
        let value = match &column.read {
            None => "…".to_owned(),
            Some(read) => {
                let value = read(py, row)?;
                if value.is_none() { "null".to_owned() } else { value.str()?.to_string_lossy().into_owned() }
            }
        };
        text.push_str(&format!(" {}={}", column.name, printable(&value, MAX_NAME)));
    }
    Ok(text)
}
