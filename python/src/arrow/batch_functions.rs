//! Functions for batches, whose columns are the members of a request or the variables of a template.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, ListArray, StringArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, FieldRef, Fields};
use cpaas::{OperationId, Problem, Report};
use cpaas_campaign::{Columns, Template};
use pyo3::prelude::*;
use serde_json::{Value, json};

use super::arrays::internal;
use super::batch::Batch;
use super::chunked_array::ArrowArray;
use super::fields::{nullable, required, type_label};
use super::input::Input;
use super::json_cell::{Cells, is_supported, object};
use super::name_column::{Names, name_field};
use super::parallel::{Piece, run};
use super::request_columns;
use super::suggestions;
use super::text_functions::{struct_array, struct_field, validity};
use crate::argument_errors::{self, bad_type, bad_value};
use crate::metadata;

/// The number of rows between two checks for signals.
const CHECKED_ROWS: usize = 64;

/// Validates each row as a request. Looks for warnings only if all problems are requested.
#[pyfunction]
#[pyo3(signature = (operation, batch, problems=false, threads=None, /))]
pub(crate) fn arrow_validate(
    operation: &str,
    batch: &Bound<'_, PyAny>,
    problems: bool,
    threads: Option<i64>,
) -> PyResult<ArrowArray> {
    let (id, input) = request_input(operation, batch)?;
    let names = names(&input);
    let fields = report_fields(problems);
    let codes = Names::new(cpaas::problem::codes::all().iter().map(|code| code.id));
    run(batch.py(), vec![input], threads, struct_field("report", fields.clone()), |piece| {
        if !problems {
            let mut errors = Vec::with_capacity(piece.len);
            requests(piece, &names, |json| errors.push(json.map(|json| id.first_error(json))))?;
            let columns = first_errors(&codes, errors.iter().map(|row| row.as_ref().map(Option::as_ref)))?;
            return struct_array(&fields, columns, validity(errors.iter().map(Option::is_some)));
        }
        let mut reports = Vec::with_capacity(piece.len);
        requests(piece, &names, |json| reports.push(json.map(|json| id.validate_json(json))))?;
        let mut columns =
            first_errors(&codes, reports.iter().map(|row| row.as_ref().map(|report| report.errors.first())))?;
        columns.push(problem_lists(&reports)?);
        struct_array(&fields, columns, validity(reports.iter().map(Option::is_some)))
    })
}

/// Writes each row as the JSON of a request.
#[pyfunction]
#[pyo3(signature = (operation, batch, threads=None, /))]
pub(crate) fn arrow_requests(
    operation: &str,
    batch: &Bound<'_, PyAny>,
    threads: Option<i64>,
) -> PyResult<ArrowArray> {
    let (_, input) = request_input(operation, batch)?;
    let names = names(&input);
    run(batch.py(), vec![input], threads, required("request", DataType::Utf8), |piece| {
        let mut texts = Vec::with_capacity(piece.len);
        requests(piece, &names, |json| texts.push(json.map(str::to_owned)))?;
        string_array(piece, &texts)
    })
}

/// Renders a template with each row. The template is a text, or the JSON of a request whose strings are templates.
#[pyfunction]
#[pyo3(signature = (template, is_text, batch, threads=None, /))]
pub(crate) fn arrow_render(
    template: &str,
    is_text: bool,
    batch: &Bound<'_, PyAny>,
    threads: Option<i64>,
) -> PyResult<ArrowArray> {
    let shape = if is_text {
        json!({"text": template})
    } else {
        serde_json::from_str(template)
            .map_err(|_| bad_type("template must be a str or a mapping of JSON values"))?
    };
    let template = Template::new(shape).map_err(|error| bad_value(format!("template: {error}")))?;
    let input = Input::table(batch, "batch")?;
    let names = names(&input);
    let used = used_columns(&template, &names, input.fields())?;
    warn_of_single_braces(batch.py(), &template, &names)?;
    let field = nullable(if is_text { "text" } else { "request" }, DataType::Utf8);
    run(batch.py(), vec![input], threads, field, |piece| {
        let Some((batch, at)) = piece.inputs.first() else { return string_array(piece, &[]) };
        let columns: Vec<_> = used
            .iter()
            .filter_map(|(index, name)| Some((name.as_str(), Cells::new(batch.columns.get(*index)?))))
            .collect();
        let mut texts = Vec::with_capacity(piece.len);
        for row in 0..piece.len {
            if row.is_multiple_of(CHECKED_ROWS) {
                piece.check_signals()?;
            }
            let values = row_values(batch, at + row, &columns)
                .map_err(|error| piece.error("batch", row, &error.to_string()))?;
            let Some(values) = values else {
                texts.push(None);
                continue;
            };
            texts.push(match template.render_columns(&values, &names) {
                Ok(value) => text_of(value, is_text),
                // Only a null can be the cause, because all names are columns.
                Err(problem) if problem.is_undefined && has_null(&columns, batch.first + at + row) => None,
                Err(problem) => return Err(piece.error("template", row, &problem.message)),
            });
        }
        string_array(piece, &texts)
    })
}

/// The result of a row: the text, or the request as JSON.
fn text_of(rendered: Value, is_text: bool) -> Option<String> {
    match rendered {
        Value::Object(mut members) if is_text => match members.remove("text") {
            Some(Value::String(text)) => Some(text),
            _ => None,
        },
        value => Some(value.to_string()),
    }
}

fn has_null(columns: &[(&str, Cells<'_>)], row: usize) -> bool {
    columns.iter().any(|(_, cells)| cells.has_null(row))
}

/// Warns of columns in single braces, which are sent as they are.
fn warn_of_single_braces(py: Python<'_>, template: &Template, columns: &[String]) -> PyResult<()> {
    for found in template.single_braces(columns, true) {
        let pointer = cpaas::printable::printable(&found.pointer, cpaas::printable::MAX_NAME);
        argument_errors::warn(py, &format!("template, {pointer}: {found}"))?;
    }
    Ok(())
}

/// The values of a row by column, without nulls; `None` for a null row.
pub(super) fn row_values(
    batch: &Batch,
    row: usize,
    columns: &[(&str, Cells<'_>)],
) -> serde_json::Result<Option<Columns>> {
    if batch.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
        return Ok(None);
    }
    let mut values = Columns::new();
    for (name, cells) in columns {
        if let Some(cell) = cells.get(batch.first + row) {
            values.insert((*name).to_owned(), serde_json::to_value(cell)?);
        }
    }
    Ok(Some(values))
}

/// The columns that a template uses, with their indexes.
fn used_columns(
    template: &Template,
    columns: &[String],
    fields: &[FieldRef],
) -> PyResult<Vec<(usize, String)>> {
    let names = template.names();
    // `names` also contains functions of MiniJinja. A name is a missing column if the template is invalid when all other names
    // are declared as columns.
    let is_missing = |name: &&String| {
        let known: Vec<String> =
            columns.iter().chain(names.iter().filter(|other| other != name)).cloned().collect();
        template.check_names(&known).is_err()
    };
    let missing: Vec<&String> =
        names.iter().filter(|name| !columns.contains(name)).filter(is_missing).collect();
    if !missing.is_empty() {
        let known: Vec<&str> = columns.iter().map(String::as_str).collect();
        let near = match missing.as_slice() {
            [name] => suggestions::nearest(name, &known),
            _ => String::new(),
        };
        let missing = missing.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let message = format!("batch: the template needs the columns {missing}, which are missing{near}");
        return Err(bad_value(message));
    }
    let used = template.used(columns).into_iter().filter_map(|index| Some((index, fields.get(index)?)));
    used.map(|(index, field)| {
        if is_supported(field.data_type()) {
            return Ok((index, field.name().clone()));
        }
        let (name, found) = (field.name(), type_label(field.data_type()));
        Err(bad_type(format!("batch: column `{name}` must have a type that JSON has, got {found}")))
    })
    .collect()
}

fn request_input(operation: &str, batch: &Bound<'_, PyAny>) -> PyResult<(OperationId, Input)> {
    let id = OperationId::find(operation).ok_or_else(|| metadata::unknown_operation(operation))?;
    let input = Input::table(batch, "batch")?;
    request_columns::check(id.meta(), input.fields())?;
    Ok((id, input))
}

fn names(input: &Input) -> Vec<String> {
    input.fields().iter().map(|field| field.name().clone()).collect()
}

/// Calls `visit` with the JSON of each row; `None` for a null row.
fn requests(piece: &Piece, names: &[String], mut visit: impl FnMut(Option<&str>)) -> PyResult<()> {
    let Some((batch, at)) = piece.inputs.first() else { return Ok(()) };
    let columns: Vec<_> =
        names.iter().map(String::as_str).zip(batch.columns.iter().map(Cells::new)).collect();
    let mut json = Vec::new();
    for row in 0..piece.len {
        if row.is_multiple_of(CHECKED_ROWS) {
            piece.check_signals()?;
        }
        if batch.nulls.as_ref().is_some_and(|nulls| nulls.is_null(at + row)) {
            visit(None);
            continue;
        }
        json.clear();
        let members = columns.iter().map(|(name, cells)| (*name, cells));
        let mut serializer = serde_json::Serializer::new(&mut json);
        object(members, batch.first + at + row, &mut serializer)
            .map_err(|error| piece.error("batch", row, &error.to_string()))?;
        visit(Some(simdutf8::basic::from_utf8(&json).unwrap_or_default()));
    }
    Ok(())
}

fn string_array(piece: &Piece, texts: &[Option<String>]) -> PyResult<ArrayRef> {
    let size: usize = texts.iter().flatten().map(String::len).sum();
    if i32::try_from(size).is_err() {
        return Err(piece.error("batch", 0, "the texts of 65,536 rows must have less than 2 GiB"));
    }
    Ok(Arc::new(texts.iter().map(Option::as_deref).collect::<StringArray>()))
}

fn report_fields(problems: bool) -> Fields {
    let mut fields = vec![
        required("ok", DataType::Boolean),
        name_field("code"),
        nullable("pointer", DataType::Utf8),
        nullable("message", DataType::Utf8),
    ];
    if problems {
        let item = required("item", DataType::Struct(problem_fields()));
        fields.push(required("problems", DataType::List(item)));
    }
    fields.into()
}

fn problem_fields() -> Fields {
    let names = ["code", "pointer", "severity", "message"];
    names.map(|name| required(name, DataType::Utf8)).into_iter().collect()
}

/// The columns `ok`, `code`, `pointer` and `message` of the first error of each row; `None` for a null row.
fn first_errors<'a>(
    codes: &Names,
    rows: impl Iterator<Item = Option<Option<&'a Problem>>> + Clone,
) -> PyResult<Vec<ArrayRef>> {
    let errors = |of: fn(&Problem) -> &str| -> ArrayRef {
        Arc::new(rows.clone().map(|error| error.flatten().map(of)).collect::<StringArray>())
    };
    let ok = rows.clone().map(|error| error.map(|error| error.is_none()));
    Ok(vec![
        Arc::new(ok.collect::<BooleanArray>()),
        codes.column_of(rows.clone().map(|error| error.flatten().map(|problem| &*problem.code)))?,
        errors(|problem| &problem.pointer),
        errors(|problem| &problem.message),
    ])
}

/// The list of all problems of each row: errors, then warnings.
fn problem_lists(reports: &[Option<Report>]) -> PyResult<ArrayRef> {
    let problems = |report: &Option<Report>| -> usize {
        report.as_ref().map_or(0, |report| report.errors.len() + report.warnings.len())
    };
    let all = || reports.iter().flatten().flat_map(|report| report.errors.iter().chain(&report.warnings));
    let column = |of: fn(&Problem) -> &str| -> ArrayRef {
        Arc::new(all().map(|problem| Some(of(problem))).collect::<StringArray>())
    };
    let columns = vec![
        column(|problem| &problem.code),
        column(|problem| &problem.pointer),
        column(|problem| problem.severity.as_str()),
        column(|problem| &problem.message),
    ];
    let items = Arc::new(StructArray::try_new(problem_fields(), columns, None).map_err(internal)?);
    let offsets = OffsetBuffer::from_lengths(reports.iter().map(problems));
    let nulls = NullBuffer::from_iter(reports.iter().map(Option::is_some));
    let item = required("item", DataType::Struct(problem_fields()));
    let lists = ListArray::try_new(item, offsets, items, Some(nulls)).map_err(internal)?;
    Ok(Arc::new(lists))
}
