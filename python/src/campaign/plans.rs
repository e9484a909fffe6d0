//! The description of a campaign that Python passes, and the plan of a campaign.

use cpaas_campaign::journal::Settings;
use cpaas_campaign::{ChangeDescription, Description, Messages, Plan, SettingChanges, Suppression};
use pyo3::prelude::*;
use serde_json::{Value, json};

use super::{exception, rows};
use crate::argument_errors::bad_value;
use crate::encode;
use crate::runtime::InterpreterGuard;

/// Reads what `describe` of `cpaas._generated.campaign_settings` returns.
pub(super) fn described(description: &Bound<'_, PyAny>) -> PyResult<(Messages, Settings)> {
    let json = encode::to_json(description)?;
    let read: Description =
        serde_json::from_str(&json).map_err(|error| bad_value(format!("campaign: {error}")))?;
    read.compile().map_err(|error| exception(description.py(), &error))
}

/// Reads what `read_recipients` of `cpaas._campaign.files` returns.
pub(super) fn suppression(recipients: &Bound<'_, PyAny>) -> PyResult<Suppression> {
    let json = encode::to_json(recipients)?;
    serde_json::from_str(&json).map_err(|error| bad_value(format!("recipients: {error}")))
}

/// Reads what `changes` of `cpaas._generated.campaign_settings` returns.
pub(super) fn changes(changes: &Bound<'_, PyAny>) -> PyResult<SettingChanges> {
    let json = encode::to_json(changes)?;
    let read: ChangeDescription =
        serde_json::from_str(&json).map_err(|error| bad_value(format!("settings: {error}")))?;
    read.compile().map_err(|error| exception(changes.py(), &error))
}

/// A dry run: the plan of a campaign with these rows, created in a journal if one is given.
#[pyfunction]
#[pyo3(signature = (rows, description, journal, /))]
pub(crate) fn plan_rows<'py>(
    rows: &Bound<'py, PyAny>,
    description: &Bound<'py, PyAny>,
    journal: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = rows.py();
    let (messages, settings) = described(description)?;
    let mut source = rows::open(rows, &messages)?;
    let planned = InterpreterGuard::enter(py).detach(py, || match journal {
        None => cpaas_campaign::plan(&mut source, &messages, &settings),
        Some(url) => cpaas_campaign::plan_at(&url, &mut source, &messages, &settings),
    });
    match planned {
        Ok(plan) => to_python(py, &plan),
        Err(error) => Err(source.take_error().unwrap_or_else(|| exception(py, &error))),
    }
}

pub(super) fn to_python<'py>(py: Python<'py>, plan: &Plan) -> PyResult<Bound<'py, PyAny>> {
    let mut record = serde_json::to_value(plan).unwrap_or_default();
    if let Value::Object(members) = &mut record {
        members.insert("duration".to_owned(), json!(plan.duration.map(|duration| duration.as_secs_f64())));
        members.insert("problems".to_owned(), json!(plan.problems));
    }
    super::to_python(py, &record)
}
