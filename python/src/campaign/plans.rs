//! The description of a campaign that Python passes, and the plan of a campaign.

use cpaas_campaign::journal::Settings;
use cpaas_campaign::{
    Duplicates, Error, Messages, Plan, Prices, Template, TemplateBuilder, Window, parse_amount,
};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{exception, rows};
use crate::argument_errors::bad_value;
use crate::encode;
use crate::runtime::InterpreterGuard;

/// The messages and settings of a campaign, from `describe` of `cpaas._campaign.files`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spec {
    operation: String,
    template: Value,
    /// Paths of members and their templates, which are added to `template` in this order.
    #[serde(default)]
    set: Vec<(String, String)>,
    #[serde(default)]
    suppress: Vec<String>,
    /// The price list as CSV.
    prices: Option<String>,
    duplicates: String,
    max_parts: Option<u32>,
    max_spend: Option<String>,
    window: Option<String>,
    time_zone: Option<String>,
    time_zone_column: Option<String>,
    rate: Option<f64>,
}

impl Spec {
    pub(super) fn read(spec: &Bound<'_, PyAny>) -> PyResult<Self> {
        let json = encode::to_json(spec)?;
        serde_json::from_str(&json).map_err(|error| bad_value(format!("campaign: {error}")))
    }

    pub(super) fn compile(self) -> Result<(Messages, Settings), Error> {
        let mut messages = Messages::new(self.operation, template(self.template, self.set)?);
        messages.prices = self.prices.map(|csv| Prices::read(csv.as_bytes())).transpose()?;
        messages.requires_price = self.max_spend.is_some();
        messages.max_parts = self.max_parts;
        messages.time_zone_column = self.time_zone_column;
        messages.duplicates = match self.duplicates.as_str() {
            "skip" => Duplicates::Skip,
            "send" => Duplicates::Send,
            _ => return Err(Error::Setting("duplicates must be \"skip\" or \"send\"".to_owned())),
        };
        let mut settings = Settings::default();
        settings.rate = self.rate;
        settings.window = self.window.as_deref().map(Window::parse).transpose()?;
        settings.time_zone = self.time_zone;
        settings.max_spend = self.max_spend.as_deref().map(parse_amount).transpose()?;
        Ok((messages.suppress(self.suppress), settings))
    }
}

fn template(template: Value, set: Vec<(String, String)>) -> Result<Template, Error> {
    let Value::Object(members) = template else { return Template::new(template) };
    let mut builder = TemplateBuilder::from(members);
    for (path, source) in set {
        builder = builder.set(&path, source)?;
    }
    builder.build()
}

/// A dry run: the plan of a campaign with these rows.
#[pyfunction]
#[pyo3(signature = (rows, spec, /))]
pub(crate) fn plan_rows<'py>(
    rows: &Bound<'py, PyAny>,
    spec: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = rows.py();
    let (messages, settings) = Spec::read(spec)?.compile().map_err(|error| exception(py, &error))?;
    let mut source = rows::open(rows)?;
    let planned = InterpreterGuard::enter(py)
        .detach(py, || cpaas_campaign::plan(&mut source, &messages, settings.rate));
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
