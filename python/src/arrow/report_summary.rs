//! Groups a report by the codes and messages of its errors, as the plan of a campaign does.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::{Array, ArrayRef, Int64Array, StringArray};
use arrow_buffer::OffsetBuffer;
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::{DataType, Field, FieldRef};
use cpaas::Severity;
use cpaas_campaign::without_figures;
use pyo3::prelude::*;

use super::arrays::internal;
use super::batch::Batch;
use super::chunked_array::ArrowArray;
use super::fields::{is_text, type_label};
use super::input::Input;
use super::string_column::{InvalidText, Strings, items};
use super::suggestions;
use crate::argument_errors::{bad_type, bad_value};

/// The number of rows that a group names.
const NAMED_ROWS: usize = 3;

/// The number of rows between two checks for signals.
const ROWS_BETWEEN_CHECKS: usize = 1_000;

/// The columns of a summary.
const COLUMNS: [&str; 5] = ["code", "count", "rows", "pointer", "message"];

/// The members of a problem that are read.
const PROBLEM_MEMBERS: [&str; 4] = ["severity", "code", "pointer", "message"];

/// The errors with one code and one message, apart from the figures in it.
struct Group {
    code: String,
    pointer: Option<String>,
    message: Option<String>,
    count: i64,
    /// Rows from 0, each with its batch and its row in it.
    rows: Vec<(usize, usize, usize)>,
}

/// An error of a row.
struct Found<'a> {
    code: &'a str,
    pointer: Option<&'a str>,
    message: Option<&'a str>,
}

/// Returns structs of `code`, `count`, `rows` (the first three, from 1), the column `id` of these rows, `pointer` and `message`.
#[pyfunction]
#[pyo3(signature = (report, id, prefix, /))]
pub(crate) fn arrow_summary(
    py: Python<'_>,
    report: &Bound<'_, PyAny>,
    id: Option<&str>,
    prefix: &str,
) -> PyResult<ArrowArray> {
    let mut input = Input::table(report, "report")?;
    let fields: Vec<FieldRef> = input.fields().to_vec();
    let position = |name: &str| fields.iter().position(|field| field.name() == name);
    let named = |name: &str| position(&format!("{prefix}{name}"));
    let code = named("code").ok_or_else(|| {
        let known: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
        let near = suggestions::nearest(&format!("{prefix}code"), &known);
        bad_value(format!(
            "report: must have the column `{prefix}code`, as the result of `validate` has{near}"
        ))
    })?;
    let id = id
        .map(|name| {
            if COLUMNS.contains(&name) {
                return Err(bad_value(format!(
                    "id: must not be `{name}`, which is a column of the summary; rename the column of the report"
                )));
            }
            let known: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
            position(name).ok_or_else(|| {
                let near = suggestions::nearest(name, &known);
                bad_value(format!("id: the report must have the column `{name}`{near}"))
            })
        })
        .transpose()?;
    let columns =
        Columns { code, pointer: named("pointer"), message: named("message"), problems: named("problems") };
    columns.check(&fields)?;
    let (groups, batches) = py.detach(|| read(&mut input, &columns, id.is_some()))?;
    let ids = id.and_then(|id| fields.get(id).map(|field| (id, field.clone())));
    py.detach(|| summary(&groups, &batches, ids))
}

/// The indexes of the columns of a report.
struct Columns {
    code: usize,
    pointer: Option<usize>,
    message: Option<usize>,
    problems: Option<usize>,
}

impl Columns {
    fn check(&self, fields: &[FieldRef]) -> PyResult<()> {
        for index in [Some(self.code), self.pointer, self.message].into_iter().flatten() {
            let Some(field) = fields.get(index) else { continue };
            if !is_text(field.data_type()) {
                let (name, found) = (field.name(), type_label(field.data_type()));
                return Err(bad_type(format!("report: column `{name}` must be text, got {found}")));
            }
        }
        match self.problems.and_then(|index| fields.get(index)) {
            Some(field) => check_problems(field),
            None => Ok(()),
        }
    }
}

/// Refuses problems that are not lists of structs, such as JSON in a column of text: their errors would not be counted.
fn check_problems(field: &Field) -> PyResult<()> {
    let name = field.name();
    let item = match field.data_type() {
        DataType::List(item) | DataType::LargeList(item) => Some(item.data_type()),
        _ => None,
    };
    let members = match item {
        Some(DataType::Struct(members)) => members,
        Some(DataType::Null) => return Ok(()), // the type of lists that are all empty
        _ => {
            let found = type_label(field.data_type());
            return Err(bad_type(format!(
                "report: column `{name}` must be a list of structs, got {found}; without it, the first error of each row is counted"
            )));
        }
    };
    if !members.iter().any(|member| member.name() == "code") {
        return Err(bad_type(format!("report: column `{name}` must contain structs with the member `code`")));
    }
    for member in members.iter().filter(|member| PROBLEM_MEMBERS.contains(&member.name().as_str())) {
        if !is_text(member.data_type()) {
            let (member, found) = (member.name(), type_label(member.data_type()));
            return Err(bad_type(format!(
                "report: member `{member}` of column `{name}` must be text, got {found}"
            )));
        }
    }
    Ok(())
}

/// Groups in the order in which their codes occur.
#[derive(Default)]
struct Groups {
    groups: Vec<Group>,
    /// The index of the group of each code and message.
    indexes: HashMap<String, HashMap<String, usize>>,
}

/// The groups, and the batches if their columns are needed later.
fn read(input: &mut Input, columns: &Columns, keep: bool) -> PyResult<(Vec<Group>, Vec<Arc<Batch>>)> {
    let (mut groups, mut batches, mut first_row) = (Groups::default(), Vec::new(), 0);
    let mut number = 0;
    while let Some(batch) = input.next()? {
        for row in 0..batch.len {
            if row % ROWS_BETWEEN_CHECKS == 0 {
                Python::attach(|py| py.check_signals())?;
            }
            if batch.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
                continue;
            }
            let at = batch.first + row;
            let place = (first_row + row, number, at);
            visit(&batch, columns, at, |found| groups.add(&found, place))
                .map_err(|_| bad_value(format!("report: row {}: must be valid UTF-8", place.0 + 1)))?;
        }
        first_row += batch.len;
        number += 1;
        if keep {
            batches.push(batch);
        }
    }
    Ok((groups.groups, batches))
}

/// Calls `add` with the errors of a row: those in the list of problems, or else the first.
fn visit<'a>(
    batch: &'a Batch,
    columns: &Columns,
    row: usize,
    mut add: impl FnMut(Found<'a>),
) -> Result<(), InvalidText> {
    let column = |index: Option<usize>| index.and_then(|index| batch.columns.get(index));
    let text = |index: Option<usize>| match column(index) {
        Some(data) => Strings::new(data).get(row),
        None => Ok(None),
    };
    if let Some(problems) = column(columns.problems) {
        return visit_problems(problems, row, add);
    }
    if let Some(code) = text(Some(columns.code))? {
        add(Found { code, pointer: text(columns.pointer)?, message: text(columns.message)? });
    }
    Ok(())
}

fn visit_problems<'a>(
    lists: &'a ArrayData,
    row: usize,
    mut add: impl FnMut(Found<'a>),
) -> Result<(), InvalidText> {
    let (Some(range), Some(problems)) = (list_range(lists, row), lists.child_data().first()) else {
        return Ok(());
    };
    let DataType::Struct(fields) = problems.data_type() else { return Ok(()) };
    let text = |name: &str, at: usize| {
        let index = fields.iter().position(|field| field.name() == name);
        match index.and_then(|index| problems.child_data().get(index)) {
            Some(data) if is_text(data.data_type()) => Strings::new(data).get(problems.offset() + at),
            _ => Ok(None),
        }
    };
    for at in range {
        if text("severity", at)?.is_some_and(|severity| severity != Severity::Error.as_str()) {
            continue;
        }
        if let Some(code) = text("code", at)? {
            add(Found { code, pointer: text("pointer", at)?, message: text("message", at)? });
        }
    }
    Ok(())
}

fn list_range(lists: &ArrayData, row: usize) -> Option<std::ops::Range<usize>> {
    if lists.nulls().is_some_and(|nulls| row < nulls.len() && nulls.is_null(row)) {
        return None;
    }
    let (start, end) = match lists.data_type() {
        DataType::List(_) => {
            let offsets = items::<i32>(lists, 1);
            (i64::from(*offsets.get(row)?), i64::from(*offsets.get(row + 1)?))
        }
        DataType::LargeList(_) => {
            let offsets = items::<i64>(lists, 1);
            (*offsets.get(row)?, *offsets.get(row + 1)?)
        }
        _ => return None,
    };
    let limit = lists.child_data().first()?.len();
    let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
    (range.end <= limit).then_some(range)
}

impl Groups {
    fn add(&mut self, found: &Found<'_>, place: (usize, usize, usize)) {
        let message = found.message.map(without_figures).unwrap_or_default();
        let known = self.indexes.get(found.code).and_then(|messages| messages.get(&message)).copied();
        let index = known.unwrap_or_else(|| {
            self.groups.push(Group {
                code: found.code.to_owned(),
                pointer: found.pointer.map(str::to_owned),
                message: found.message.map(str::to_owned),
                count: 0,
                rows: Vec::new(),
            });
            let index = self.groups.len() - 1;
            self.indexes.entry(found.code.to_owned()).or_default().insert(message, index);
            index
        });
        if let Some(group) = self.groups.get_mut(index) {
            group.count += 1;
            if group.rows.len() < NAMED_ROWS && group.rows.last().is_none_or(|last| last.0 != place.0) {
                group.rows.push(place);
            }
        }
    }
}

fn summary(groups: &[Group], batches: &[Arc<Batch>], id: Option<(usize, FieldRef)>) -> PyResult<ArrowArray> {
    let text = |name: &str| Arc::new(Field::new(name, DataType::Utf8, true));
    let mut rows = ListBuilder::new(Int64Builder::new());
    for group in groups {
        let numbers = group.rows.iter().map(|(row, ..)| Some(i64::try_from(row + 1).unwrap_or(i64::MAX)));
        rows.append_value(numbers);
    }
    let rows: ArrayRef = Arc::new(rows.finish());
    let mut fields: Vec<FieldRef> = vec![
        Arc::new(Field::new("code", DataType::Utf8, false)),
        Arc::new(Field::new("count", DataType::Int64, false)),
        Arc::new(Field::new("rows", rows.data_type().clone(), false)),
    ];
    let codes = groups.iter().map(|group| Some(group.code.as_str())).collect::<StringArray>();
    let counts = Int64Array::from_iter_values(groups.iter().map(|group| group.count));
    let mut columns = vec![codes.into_data(), counts.into_data(), rows.to_data()];
    let mut hidden_field = None;
    if let Some((index, field)) = id {
        let list = ids(groups, batches, index, &field)?;
        hidden_field = Some((Arc::new(Field::new(field.name(), list.data_type().clone(), false)), list));
    }
    fields.extend([text("pointer"), text("message")]);
    let pointers = groups.iter().map(|group| group.pointer.as_deref()).collect::<StringArray>();
    let messages = groups.iter().map(|group| group.message.as_deref()).collect::<StringArray>();
    columns.extend([pointers.into_data(), messages.into_data()]);
    let hidden = usize::from(hidden_field.is_some());
    if let Some((field, list)) = hidden_field {
        fields.insert(0, field);
        columns.insert(0, list);
    }
    let data_type = DataType::Struct(fields.into());
    let data = ArrayData::builder(data_type.clone()).len(groups.len()).child_data(columns);
    let data = data.build().map_err(internal)?;
    Ok(ArrowArray::new(Arc::new(Field::new("summary", data_type, false)), vec![data]).with_hidden(hidden))
}

/// The ids of the rows of each group, as lists.
fn ids(groups: &[Group], batches: &[Arc<Batch>], index: usize, field: &Field) -> PyResult<ArrayData> {
    let columns: Vec<&ArrayData> = batches.iter().filter_map(|batch| batch.columns.get(index)).collect();
    let invalid = |error: arrow_schema::ArrowError| bad_value(format!("id: {error}"));
    for column in &columns {
        column.validate_full().map_err(invalid)?; // the column is the caller's
    }
    let items = if columns.is_empty() {
        ArrayData::new_empty(field.data_type())
    } else {
        let mut items = MutableArrayData::new(columns, true, groups.len() * NAMED_ROWS);
        for (_, batch, row) in groups.iter().flat_map(|group| &group.rows) {
            items.try_extend(*batch, *row, row + 1).map_err(invalid)?;
        }
        items.freeze()
    };
    let offsets = OffsetBuffer::<i32>::from_lengths(groups.iter().map(|group| group.rows.len()));
    let item = Arc::new(field.clone().with_name("item").with_nullable(true));
    let list = ArrayData::builder(DataType::List(item)).len(groups.len());
    let list = list.add_buffer(offsets.into_inner().into_inner()).add_child_data(items);
    list.build().map_err(invalid)
}
