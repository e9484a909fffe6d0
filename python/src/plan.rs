//! What a call needs to know, read once from the generated Python modules: the members of each
//! operation's request, and the classes that its answer fills.

use std::sync::Arc;

use cpaas::OperationId;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use crate::encode::Object;
use crate::slot::Slot;

/// How an answer is filled.
pub(crate) enum Kind {
    /// As it is.
    Any,
    /// A tuple.
    List(Box<Kind>),
    /// A generated class.
    Model(Arc<Model>),
}

/// A generated class and its members.
pub(crate) struct Model {
    pub(crate) class: Py<PyType>,
    pub(crate) members: Vec<Member>,
    pub(crate) extra: Slot,
    /// Where the response goes; nested records have none.
    pub(crate) response: Option<Slot>,
}

/// One member: its name on the wire, its attribute, and what it holds.
pub(crate) struct Member {
    pub(crate) wire: String,
    pub(crate) slot: Slot,
    pub(crate) kind: Kind,
}

impl Member {
    /// As many as the bits by which `decode` remembers those that came.
    const MOST: usize = 64;
}

/// One operation.
pub(crate) struct Plan {
    pub(crate) id: OperationId,
    pub(crate) name: &'static str,
    keywords: Vec<String>,
    inputs: Vec<String>,
    output: Box<str>,
    kind: PyOnceLock<Kind>,
}

static PLANS: PyOnceLock<Vec<Plan>> = PyOnceLock::new();

/// The plan of the operation with this index in the generated list.
pub(crate) fn get(py: Python<'_>, index: usize) -> PyResult<&'static Plan> {
    all(py)?.get(index).ok_or_else(|| PyRuntimeError::new_err("cpaas: no such operation"))
}

/// The plan of the operation with this name.
pub(crate) fn named(py: Python<'_>, name: &str) -> PyResult<&'static Plan> {
    all(py)?.iter().find(|plan| plan.name == name).ok_or_else(|| unknown(name))
}

/// A name that is none, with the nearest one that is.
pub(crate) fn unknown(name: &str) -> PyErr {
    let message = cpaas::validate_json(name, "{}").err().map(|error| error.to_string());
    PyValueError::new_err(message.unwrap_or_default())
}

fn all(py: Python<'_>) -> PyResult<&'static Vec<Plan>> {
    PLANS.get_or_try_init(py, || {
        let module = py.import(intern!(py, "cpaas._plan"))?;
        let rows: Vec<(String, Vec<String>, Vec<String>, String)> =
            module.getattr(intern!(py, "PLAN"))?.extract()?;
        rows.into_iter()
            .map(|(id, inputs, keywords, output)| Plan::new(&id, inputs, keywords, output))
            .collect()
    })
}

impl Plan {
    fn new(id: &str, inputs: Vec<String>, keywords: Vec<String>, output: String) -> PyResult<Self> {
        let id = OperationId::find(id)
            .ok_or_else(|| PyRuntimeError::new_err(format!("cpaas: {id} is not in the native module")))?;
        Ok(Self { id, name: id.meta().id, keywords, inputs, output: output.into(), kind: PyOnceLock::new() })
    }

    /// The request as JSON text, from the arguments in the order of the generated method.
    pub(crate) fn request(
        &self,
        arguments: &Bound<'_, PyTuple>,
        extra: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        if arguments.len() != self.inputs.len() {
            return Err(PyTypeError::new_err("cpaas: the generated methods do not fit the native module"));
        }
        let mut object = Object::new();
        for (name, value) in self.inputs.iter().zip(arguments.iter_borrowed()) {
            if value.is_none() {
                continue;
            }
            match name.as_str() {
                "*" => object.members("channels", &value)?,
                name if self.joins(name) => object.joined(name, &value)?,
                name => object.member(name, &value)?,
            }
        }
        if let Some(extra) = extra {
            object.member("extra", extra)?;
        }
        Ok(object.finish())
    }

    /// Whether the specification wants a list in one string, separated by commas.
    fn joins(&self, member: &str) -> bool {
        self.id == OperationId::SmsSendBulk && member == "to"
    }

    /// The argument that stands for a member of the request.
    pub(crate) fn keyword(&self, member: &str) -> Option<&str> {
        let exact = self.inputs.iter().position(|input| input == member);
        let at = exact.or_else(|| self.inputs.iter().position(|input| input == "*"))?;
        self.keywords.get(at).map(String::as_str)
    }

    /// What the answer fills.
    pub(crate) fn kind(&self, py: Python<'_>) -> PyResult<&Kind> {
        self.kind.get_or_try_init(py, || {
            let models = py.import(intern!(py, "cpaas.models"))?;
            match self.output.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                Some(item) => Ok(Kind::List(Box::new(class(&models, item)?))),
                None => class(&models, &self.output),
            }
        })
    }
}

fn class(models: &Bound<'_, PyModule>, name: &str) -> PyResult<Kind> {
    if name.is_empty() {
        return Ok(Kind::Any);
    }
    model(models.getattr(name)?.cast::<PyType>()?)
}

fn model(class: &Bound<'_, PyType>) -> PyResult<Kind> {
    let py = class.py();
    let fields = class.getattr(intern!(py, "_fields"))?;
    let members = fields
        .cast::<PyDict>()?
        .iter()
        .map(|(slot, row)| {
            let slot = Slot::of(class, slot.cast::<PyString>()?)?;
            let (wire, nested): (String, Bound<'_, PyAny>) = row.extract()?;
            let kind = match nested.cast::<PyType>() {
                Ok(nested) => model(nested)?,
                Err(_) => Kind::Any,
            };
            Ok(Member { wire, slot, kind })
        })
        .collect::<PyResult<Vec<_>>>()?;
    if members.len() > Member::MOST {
        return Err(PyRuntimeError::new_err("cpaas: a class has too many members"));
    }
    let extra = Slot::of(class, intern!(py, "extra"))?;
    let response = Slot::of(class, intern!(py, "_response")).ok();
    Ok(Kind::Model(Arc::new(Model { class: class.clone().unbind(), members, extra, response })))
}
