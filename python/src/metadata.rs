//! The generated metadata of operations, read once from Python: the members of each request, and the classes of each
//! result.
//!
//! The names on the wire go from the core through `codegen` and `_generated/metadata.py` back to this module, because the generator
//! decides the order and the names of the arguments (a reserved word gets `_`) and the names of the classes (two models may share a name).
//! It writes the methods and classes from the same functions, so this module needs no copy of them.
//!
//! A row is `(id, members, keywords, result)`:
//!
//! - `members` has the names on the wire, in the order of the arguments; `*` is the argument `channels`, whose items become members;
//! - `keywords` has the arguments of the method, in the same order;
//! - `result` is a class of `cpaas.models`; `[X]` is a list of X, `[]` a list of plain values, and an empty string a plain value.

use std::sync::Arc;

use cpaas::OperationId;
use cpaas::schema::{self, Format};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use pyo3::{ffi, intern};

use crate::encode::{self, Object};
use crate::{argument_errors, arguments};

/// What a value becomes in Python.
pub(crate) enum Kind {
    /// A plain value: `dict`, `tuple`, `str`, …
    Any,
    /// A tuple of values.
    List(Box<Kind>),
    /// A generated class.
    Model(Arc<Model>),
}

/// A generated class.
pub(crate) struct Model {
    pub(crate) class: Py<PyType>,
    pub(crate) members: Vec<Member>,
    pub(crate) extra: Attribute,
    /// The attribute for the response; nested records have none.
    pub(crate) response: Option<Attribute>,
}

/// A member of a class: its name on the wire, its attribute, and the kind of its value.
pub(crate) struct Member {
    pub(crate) wire: String,
    pub(crate) attribute: Attribute,
    pub(crate) kind: Kind,
}

/// The maximum number of members of a class, because `python_value` marks present members in the bits of a `u64`.
const MAX_MEMBERS: usize = 64;

/// The metadata of an operation.
pub(crate) struct Metadata {
    pub(crate) id: OperationId,
    pub(crate) name: &'static str,
    keywords: Vec<String>,
    inputs: Vec<String>,
    output: Box<str>,
    kind: PyOnceLock<Kind>,
}

static OPERATIONS: PyOnceLock<Vec<Metadata>> = PyOnceLock::new();

/// Finds an operation by its index in the generated list or by its name. Also returns whether `operation` was an index.
pub(crate) fn find(operation: &Bound<'_, PyAny>) -> PyResult<(&'static Metadata, bool)> {
    let py = operation.py();
    match operation.extract::<usize>() {
        Ok(index) => Ok((by_index(py, index)?, true)),
        Err(_) => Ok((by_name(py, arguments::text("operation", operation)?)?, false)),
    }
}

/// The operation with this index in the generated list.
fn by_index(py: Python<'_>, index: usize) -> PyResult<&'static Metadata> {
    operations(py)?.get(index).ok_or_else(|| PyRuntimeError::new_err(STALE))
}

/// The operation with this name.
pub(crate) fn by_name(py: Python<'_>, name: &str) -> PyResult<&'static Metadata> {
    operations(py)?.iter().find(|metadata| metadata.name == name).ok_or_else(|| unknown_operation(name))
}

/// The error for an unknown name; it suggests the closest name.
pub(crate) fn unknown_operation(name: &str) -> PyErr {
    let message = cpaas::validate_json(name, "{}").err().map(|error| error.to_string());
    argument_errors::bad_value(message.unwrap_or_default())
}

const STALE: &str = "cpaas: internal error: the generated Python modules and the native module differ";

fn operations(py: Python<'_>) -> PyResult<&'static Vec<Metadata>> {
    get_or_make(py, &OPERATIONS, || {
        let module = py.import(intern!(py, "cpaas._generated.metadata"))?;
        let rows: Vec<(String, Vec<String>, Vec<String>, String)> =
            module.getattr(intern!(py, "OPERATIONS"))?.extract()?;
        rows.into_iter()
            .map(|(id, inputs, keywords, output)| Metadata::new(&id, inputs, keywords, output))
            .collect()
    })
}

/// The value of a cell, which `make` makes if it is empty. The function of the cell would wait for itself if a signal handler that runs
/// while `make` imports a module makes a call.
fn get_or_make<'a, T>(
    py: Python<'_>,
    cell: &'a PyOnceLock<T>,
    make: impl FnOnce() -> PyResult<T>,
) -> PyResult<&'a T> {
    if let Some(value) = cell.get(py) {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(py, || value))
}

impl Metadata {
    fn new(id: &str, inputs: Vec<String>, keywords: Vec<String>, output: String) -> PyResult<Self> {
        let id = OperationId::find(id).ok_or_else(|| PyRuntimeError::new_err(STALE))?;
        Ok(Self { id, name: id.meta().id, keywords, inputs, output: output.into(), kind: PyOnceLock::new() })
    }

    /// The request as JSON, from the arguments in the order of the generated method.
    pub(crate) fn request(
        &self,
        arguments: &Bound<'_, PyTuple>,
        extra: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        if arguments.len() != self.inputs.len() {
            return Err(PyTypeError::new_err(STALE));
        }
        let mut object = Object::new();
        for ((wire, keyword), value) in self.inputs.iter().zip(&self.keywords).zip(arguments.iter_borrowed())
        {
            if value.is_none() {
                continue;
            }
            match wire.as_str() {
                "*" => object.members(keyword, &value)?,
                wire if self.is_comma_list(wire) => object.comma_list(wire, keyword, &value)?,
                wire => object.member(wire, keyword, &value)?,
            }
        }
        if let Some(extra) = extra {
            object.member("extra", "extra", extra)?;
        }
        Ok(object.finish())
    }

    /// Whether the wire format of a list is one string, separated by commas.
    fn is_comma_list(&self, member: &str) -> bool {
        is_comma_list(self.id, member)
    }

    /// The keyword argument of a member of the request.
    pub(crate) fn keyword(&self, member: &str) -> Option<&str> {
        let exact = self.inputs.iter().position(|input| input == member);
        let index = exact.or_else(|| self.inputs.iter().position(|input| input == "*"))?;
        self.keywords.get(index).map(String::as_str)
    }

    /// The kind of the result.
    pub(crate) fn kind(&self, py: Python<'_>) -> PyResult<&Kind> {
        get_or_make(py, &self.kind, || {
            let models = py.import(intern!(py, "cpaas.models"))?;
            match self.output.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                Some(item) => Ok(Kind::List(Box::new(class(&models, item)?))),
                None => class(&models, &self.output),
            }
        })
    }
}

/// A member that is declared as a string, for one value or several separated by commas, also accepts a list.
fn is_comma_list(operation: OperationId, member: &str) -> bool {
    let field = operation.meta().input.field(member);
    field.is_some_and(|field| field.format == Format::CommaList && matches!(field.kind, schema::Kind::String))
}

/// The request as JSON, from a mapping with the names of the specification. Errors name the member.
pub(crate) fn request_of(operation: OperationId, mapping: &Bound<'_, PyAny>) -> PyResult<String> {
    let Ok(dict) = mapping.cast::<PyDict>() else { return encode::to_json(mapping) };
    let mut object = Object::new();
    for (name, value) in dict {
        let wire = encode::key_text(&name)?;
        if is_comma_list(operation, wire) && !value.is_none() {
            object.comma_list(wire, wire, &value)?;
        } else {
            object.member(wire, wire, &value)?;
        }
    }
    Ok(object.finish())
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
        .map(|(name, row)| {
            let attribute = Attribute::of(class, name.cast::<PyString>()?)?;
            let (wire, nested): (String, Bound<'_, PyAny>) = row.extract()?;
            let kind = match nested.cast::<PyType>() {
                Ok(nested) => model(nested)?,
                Err(_) => Kind::Any,
            };
            Ok(Member { wire, attribute, kind })
        })
        .collect::<PyResult<Vec<_>>>()?;
    if members.len() > MAX_MEMBERS {
        return Err(PyRuntimeError::new_err("cpaas: internal error: a class has more than 64 members"));
    }
    let extra = Attribute::of(class, intern!(py, "extra"))?;
    let response = Attribute::of(class, intern!(py, "_response")).ok();
    Ok(Kind::Model(Arc::new(Model { class: class.clone().unbind(), members, extra, response })))
}

/// A slot of a generated class (a `member_descriptor`). Setting it bypasses the `__setattr__` of the class, which makes
/// instances read-only.
pub(crate) struct Attribute {
    descriptor: Py<PyAny>,
    write: ffi::descrsetfunc,
}

impl Attribute {
    fn of(class: &Bound<'_, PyType>, name: &Bound<'_, PyString>) -> PyResult<Self> {
        let descriptor = class.getattr(name)?;
        // SAFETY: the type is alive, and `Py_tp_descr_set` is the number of a type slot; null means that the slot is empty.
        let write = unsafe { ffi::PyType_GetSlot(ffi::Py_TYPE(descriptor.as_ptr()), ffi::Py_tp_descr_set) };
        if write.is_null() {
            return Err(PyTypeError::new_err(format!("cpaas: internal error: {name} is not a slot")));
        }
        // SAFETY: the slot `tp_descr_set` contains a function of this type, and builtin types are immortal.
        let write = unsafe { std::mem::transmute::<*mut std::ffi::c_void, ffi::descrsetfunc>(write) };
        Ok(Self { descriptor: descriptor.unbind(), write })
    }

    pub(crate) fn set(&self, object: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        // SAFETY: the three references are alive during the call, and the descriptor checks the class of the object.
        let result = unsafe { (self.write)(self.descriptor.as_ptr(), object.as_ptr(), value.as_ptr()) };
        if result == 0 {
            return Ok(());
        }
        Err(PyErr::take(object.py())
            .unwrap_or_else(|| PyRuntimeError::new_err("cpaas: internal error: a slot could not be set")))
    }
}
