//! Converts JSON to Python values. Arrays become tuples. Objects become dicts, or instances of the generated classes that the
//! metadata names.

use std::fmt;

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::metadata::{Kind, Model};

/// Parses JSON to a value of a kind.
pub(crate) fn from_json<'py>(py: Python<'py>, json: &str, kind: &Kind) -> PyResult<Bound<'py, PyAny>> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let value = Seed { py, kind }
        .deserialize(&mut reader)
        .map_err(|error| PyErr::take(py).unwrap_or_else(|| PyValueError::new_err(error.to_string())))?;
    Ok(value)
}

#[derive(Clone, Copy)]
struct Seed<'a, 'py> {
    py: Python<'py>,
    kind: &'a Kind,
}

impl<'de, 'py> DeserializeSeed<'de> for Seed<'_, 'py> {
    type Value = Bound<'py, PyAny>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Passes a Python exception through serde: sets it as the current exception, which `from_json` takes.
fn pass<E: Error>(py: Python<'_>, error: PyErr) -> E {
    error.restore(py);
    E::custom("a Python exception")
}

macro_rules! simple {
    ($( $visit:ident: $type:ty ),*) => {
        $( fn $visit<E: Error>(self, value: $type) -> Result<Self::Value, E> {
            let value = value.into_pyobject(self.py).map_err(|error| pass(self.py, error.into()))?;
            Ok(value.to_owned().into_any())
        } )*
    };
}

impl<'de, 'py> Visitor<'de> for Seed<'_, 'py> {
    type Value = Bound<'py, PyAny>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    simple!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(self.py.None().into_bound(self.py))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let inner = match self.kind {
            Kind::List(inner) => inner,
            other => other,
        };
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(Seed { py: self.py, kind: inner })? {
            values.push(value);
        }
        PyTuple::new(self.py, values).map(Bound::into_any).map_err(|error| pass(self.py, error))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        match self.kind {
            Kind::Model(model) => object(self.py, model, members),
            _ => dict(self.py, members),
        }
    }
}

fn dict<'de, 'py, A: MapAccess<'de>>(py: Python<'py>, mut members: A) -> Result<Bound<'py, PyAny>, A::Error> {
    let out = PyDict::new(py);
    while let Some(name) = members.next_key_seed(Text(py))? {
        let value = members.next_value_seed(Seed { py, kind: &Kind::Any })?;
        out.set_item(name, value).map_err(|error| pass(py, error))?;
    }
    Ok(out.into_any())
}

/// A name as a Python string.
struct Text<'py>(Python<'py>);

impl<'de, 'py> DeserializeSeed<'de> for Text<'py> {
    type Value = Bound<'py, PyString>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'py> Visitor<'_> for Text<'py> {
    type Value = Bound<'py, PyString>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(PyString::new(self.0, name))
    }
}

/// The name of a member: the index of a member of the class, or an unknown name.
struct Name<'a, 'py> {
    py: Python<'py>,
    model: &'a Model,
    /// The index that is tried first: the one after the last member, because most responses have the order of the class.
    next: usize,
}

enum Found<'py> {
    Member(usize),
    Other(Bound<'py, PyString>),
}

impl<'de, 'py> DeserializeSeed<'de> for Name<'_, 'py> {
    type Value = Found<'py>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'py> Visitor<'_> for Name<'_, 'py> {
    type Value = Found<'py>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        let members = &self.model.members;
        if members.get(self.next).is_some_and(|member| member.wire == name) {
            return Ok(Found::Member(self.next));
        }
        match members.iter().position(|member| member.wire == name) {
            Some(at) => Ok(Found::Member(at)),
            None => Ok(Found::Other(PyString::new(self.py, name))),
        }
    }
}

fn object<'de, 'py, A: MapAccess<'de>>(
    py: Python<'py>,
    model: &Model,
    mut members: A,
) -> Result<Bound<'py, PyAny>, A::Error> {
    let object = allocate(py, model).map_err(|error| pass(py, error))?;
    let extra = PyDict::new(py);
    let (mut present, mut next) = (0_u64, 0);
    while let Some(found) = members.next_key_seed(Name { py, model, next })? {
        match found {
            Found::Member(at) => {
                let Some(member) = model.members.get(at) else { continue };
                let value = members.next_value_seed(Seed { py, kind: &member.kind })?;
                member.attribute.set(&object, &value).map_err(|error| pass(py, error))?;
                present |= 1 << at;
                next = at + 1;
            }
            Found::Other(name) => {
                let value = members.next_value_seed(Seed { py, kind: &Kind::Any })?;
                extra.set_item(name, value).map_err(|error| pass(py, error))?;
            }
        }
    }
    let none = py.None().into_bound(py);
    for (at, member) in model.members.iter().enumerate() {
        if present & (1 << at) == 0 {
            member.attribute.set(&object, &none).map_err(|error| pass(py, error))?;
        }
    }
    model.extra.set(&object, &extra).map_err(|error| pass(py, error))?;
    Ok(object)
}

/// Allocates an instance like `object.__new__`, without `__init__`.
fn allocate<'py>(py: Python<'py>, model: &Model) -> PyResult<Bound<'py, PyAny>> {
    let class = model.class.bind(py).as_type_ptr();
    // SAFETY: the class is a heap type of a `class` statement, which uses the generic allocator.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_GenericAlloc(class, 0)) }
}
