//! Templates of delivery reports.

use cpaas::callback;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::argument_errors;
use crate::arguments::{self, text, untrusted_text};

/// A template of delivery reports, with the delimiters `~…~`, `<…>` and `$…$`.
#[pyclass(frozen, module = "cpaas.callbacks")]
pub(crate) struct Template {
    inner: callback::Template,
}

#[pymethods]
impl Template {
    #[new]
    #[pyo3(signature = (source, place=None), text_signature = "(source, place='url')")]
    fn new(source: &Bound<'_, PyAny>, place: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let source = text("source", source)?;
        let place = match place.map_or(Ok("url"), |place| text("place", place))? {
            "url" => callback::TemplateFormat::Url,
            "json" => callback::TemplateFormat::Json,
            "form" => callback::TemplateFormat::Form,
            _ => return Err(argument_errors::bad_value("place must be \"url\", \"json\" or \"form\"")),
        };
        Ok(Self { inner: callback::Template::parse(source, place) })
    }

    /// Names between delimiters that are not variables; they stay unchanged.
    #[getter]
    fn unknown(&self) -> Vec<String> {
        self.inner.unknown().to_vec()
    }

    /// Replaces the variables with their values, escaped for `place`.
    ///
    /// Args:
    ///     values: The values, by the names of the variables.
    ///
    /// Raises:
    ///     cpaas.Invalid: A name is not a variable.
    #[pyo3(signature = (values, /))]
    fn render(&self, values: &Bound<'_, PyAny>) -> PyResult<String> {
        let Ok(dict) = values.cast::<PyDict>() else {
            return Err(arguments::wrong_type("values", "a dict", values));
        };
        let values: PyResult<callback::Values> = dict
            .iter()
            .map(|(name, value)| {
                let name = text("values: a key", &name)?;
                let variable = callback::Variable::from_name(name)
                    .ok_or_else(|| argument_errors::bad_value(format!("unknown variable {name:?}")))?;
                Ok((variable, text(&format!("values[{name:?}]"), &value)?.to_owned()))
            })
            .collect();
        Ok(self.inner.render(&values?))
    }

    /// The values in a text that the template rendered; None if the text does not match.
    ///
    /// Args:
    ///     received: The text.
    #[pyo3(signature = (received, /))]
    fn read<'py>(&self, received: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (py, received) = (received.py(), untrusted_text("received", received)?);
        let Some(values) = self.inner.read(&received) else { return Ok(None) };
        let out = PyDict::new(py);
        for (variable, value) in values {
            out.set_item(variable.name(), value)?;
        }
        Ok(Some(out))
    }
}
