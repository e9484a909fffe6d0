//! Builds Python values from serializable values: those of the core, and JSON. Arrays become tuples. Objects become dicts, or instances of
//! the generated classes that the metadata names.

use std::fmt;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use serde::ser::{Error, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

use crate::metadata::{Kind, Model};

/// Builds the Python value of a value of the core.
pub(crate) fn from_value<'py>(
    py: Python<'py>,
    value: &impl Serialize,
    kind: &Kind,
) -> PyResult<Bound<'py, PyAny>> {
    value.serialize(Builder { py, kind }).map_err(|error| exception(py, &error))
}

/// Parses JSON to a value of a kind.
pub(crate) fn from_json<'py>(py: Python<'py>, json: &str, kind: &Kind) -> PyResult<Bound<'py, PyAny>> {
    let mut reader = serde_json::Deserializer::from_str(json);
    serde_transcode::transcode(&mut reader, Builder { py, kind }).map_err(|error| exception(py, &error))
}

/// The current exception of Python, or one for a value that cannot be built.
fn exception(py: Python<'_>, error: &Failed) -> PyErr {
    PyErr::take(py).unwrap_or_else(|| PyValueError::new_err(error.0.clone()))
}

/// Why a value cannot be built. An exception of Python is no part of it, because serde passes errors on as text: it is the current
/// exception.
#[derive(Debug)]
struct Failed(String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failed {}

impl Error for Failed {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Passes an exception of Python through serde.
fn pass(py: Python<'_>, error: impl Into<PyErr>) -> Failed {
    error.into().restore(py);
    Failed("an exception of Python".to_owned())
}

/// The error for what no value of the core and no JSON has: tuples, variants with members, and names that are not strings.
fn unsupported() -> Failed {
    Failed("cpaas: internal error: a value without a form in Python".to_owned())
}

macro_rules! unsupported {
    ($( $method:ident($($type:ty),*) -> $result:ty ),* $(,)?) => {
        $( fn $method(self, $(_: $type),*) -> Result<$result, Failed> { Err(unsupported()) } )*
    };
}

/// Builds one value.
#[derive(Clone, Copy)]
struct Builder<'a, 'py> {
    py: Python<'py>,
    kind: &'a Kind,
}

impl<'py> Builder<'_, 'py> {
    fn plain<T: IntoPyObject<'py>>(self, value: T) -> Result<Bound<'py, PyAny>, Failed> {
        value.into_bound_py_any(self.py).map_err(|error| pass(self.py, error))
    }
}

macro_rules! plain {
    ($( $method:ident: $type:ty ),*) => {
        $( fn $method(self, value: $type) -> Result<Self::Ok, Failed> { self.plain(value) } )*
    };
}

impl<'a, 'py> Serializer for Builder<'a, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;
    type SerializeSeq = Items<'a, 'py>;
    type SerializeTuple = Impossible<Self::Ok, Failed>;
    type SerializeTupleStruct = Impossible<Self::Ok, Failed>;
    type SerializeTupleVariant = Impossible<Self::Ok, Failed>;
    type SerializeMap = Members<'a, 'py>;
    type SerializeStruct = Members<'a, 'py>;
    type SerializeStructVariant = Impossible<Self::Ok, Failed>;

    plain!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_f32: f32, serialize_f64: f64, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8]
    );

    fn serialize_none(self) -> Result<Self::Ok, Failed> {
        Ok(self.py.None().into_bound(self.py))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Failed> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Self::Ok, Failed> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok, Failed> {
        self.serialize_none()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<Self::Ok, Failed> {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Self::Ok, Failed> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Self::Ok, Failed> {
        Err(unsupported())
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Items<'a, 'py>, Failed> {
        let kind = match self.kind {
            Kind::List(inner) => inner,
            other => other,
        };
        Ok(Items {
            items: Builder { py: self.py, kind },
            values: Vec::with_capacity(len.unwrap_or_default()),
        })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'a, 'py>, Failed> {
        let others = PyDict::new(self.py);
        let Kind::Model(model) = self.kind else {
            return Ok(Members { others, instance: None, found: None });
        };
        let instance = Instance::new(self.py, model).map_err(|error| pass(self.py, error))?;
        Ok(Members { others, instance: Some(instance), found: None })
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Members<'a, 'py>, Failed> {
        self.serialize_map(Some(len))
    }

    unsupported!(
        serialize_tuple(usize) -> Self::SerializeTuple,
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct,
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant,
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant,
    );
}

/// The values of a tuple.
struct Items<'a, 'py> {
    items: Builder<'a, 'py>,
    values: Vec<Bound<'py, PyAny>>,
}

impl<'py> SerializeSeq for Items<'_, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        self.values.push(value.serialize(self.items)?);
        Ok(())
    }

    fn end(self) -> Result<Self::Ok, Failed> {
        let py = self.items.py;
        PyTuple::new(py, self.values).map(Bound::into_any).map_err(|error| pass(py, error))
    }
}

/// The members of an object.
struct Members<'a, 'py> {
    /// All members of a dict, or the undocumented ones of an instance.
    others: Bound<'py, PyDict>,
    instance: Option<Instance<'a, 'py>>,
    /// The name whose value follows.
    found: Option<Found<'py>>,
}

/// The name of a member: the index of a member of the class, or another name.
enum Found<'py> {
    Member(usize),
    Other(Bound<'py, PyString>),
}

/// An instance of a generated class whose members are being set.
struct Instance<'a, 'py> {
    model: &'a Model,
    object: Bound<'py, PyAny>,
    /// The members that are set.
    present: u64,
    /// The index that is tried first: the one after the last member, because most responses have the order of the class.
    next: usize,
}

impl<'a, 'py> Instance<'a, 'py> {
    /// Allocates an instance like `object.__new__`, without `__init__`.
    fn new(py: Python<'py>, model: &'a Model) -> PyResult<Self> {
        let class = model.class.bind(py).as_type_ptr();
        // SAFETY: the class is a heap type of a `class` statement, which uses the generic allocator.
        let object = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_GenericAlloc(class, 0)) }?;
        Ok(Self { model, object, present: 0, next: 0 })
    }

    fn find(&self, name: &str) -> Option<usize> {
        let members = &self.model.members;
        if members.get(self.next).is_some_and(|member| member.wire == name) {
            return Some(self.next);
        }
        members.iter().position(|member| member.wire == name)
    }

    fn set<T: Serialize + ?Sized>(&mut self, index: usize, value: &T) -> Result<(), Failed> {
        let Some(member) = self.model.members.get(index) else { return Ok(()) };
        let py = self.object.py();
        let value = value.serialize(Builder { py, kind: &member.kind })?;
        member.attribute.set(&self.object, &value).map_err(|error| pass(py, error))?;
        self.present |= 1 << index;
        self.next = index + 1;
        Ok(())
    }

    /// Sets the members that are absent to `None`, and the undocumented ones.
    fn end(self, extra: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let none = self.object.py().None().into_bound(self.object.py());
        for (index, member) in self.model.members.iter().enumerate() {
            if self.present & (1 << index) == 0 {
                member.attribute.set(&self.object, &none)?;
            }
        }
        self.model.extra.set(&self.object, extra)?;
        Ok(self.object)
    }
}

impl<'py> SerializeMap for Members<'_, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Failed> {
        self.found = Some(name.serialize(Name { py: self.others.py(), instance: self.instance.as_ref() })?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        match (self.found.take(), &mut self.instance) {
            (Some(Found::Member(index)), Some(instance)) => instance.set(index, value),
            (Some(Found::Other(name)), _) => {
                let py = self.others.py();
                let value = value.serialize(Builder { py, kind: &Kind::Any })?;
                self.others.set_item(name, value).map_err(|error| pass(py, error))
            }
            _ => Ok(()),
        }
    }

    fn end(self) -> Result<Self::Ok, Failed> {
        let py = self.others.py();
        let others = self.others.into_any();
        match self.instance {
            Some(instance) => instance.end(&others).map_err(|error| pass(py, error)),
            None => Ok(others),
        }
    }
}

impl<'py> SerializeStruct for Members<'_, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Failed> {
        self.serialize_entry(name, value)
    }

    fn end(self) -> Result<Self::Ok, Failed> {
        SerializeMap::end(self)
    }
}

/// Finds the member of a name, which is a string.
struct Name<'a, 'b, 'py> {
    py: Python<'py>,
    instance: Option<&'a Instance<'b, 'py>>,
}

impl<'py> Serializer for Name<'_, '_, 'py> {
    type Ok = Found<'py>;
    type Error = Failed;
    type SerializeSeq = Impossible<Self::Ok, Failed>;
    type SerializeTuple = Impossible<Self::Ok, Failed>;
    type SerializeTupleStruct = Impossible<Self::Ok, Failed>;
    type SerializeTupleVariant = Impossible<Self::Ok, Failed>;
    type SerializeMap = Impossible<Self::Ok, Failed>;
    type SerializeStruct = Impossible<Self::Ok, Failed>;
    type SerializeStructVariant = Impossible<Self::Ok, Failed>;

    fn serialize_str(self, name: &str) -> Result<Self::Ok, Failed> {
        Ok(match self.instance.and_then(|instance| instance.find(name)) {
            Some(index) => Found::Member(index),
            None => Found::Other(PyString::new(self.py, name)),
        })
    }

    fn serialize_some<T: Serialize + ?Sized>(self, name: &T) -> Result<Self::Ok, Failed> {
        name.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        name: &T,
    ) -> Result<Self::Ok, Failed> {
        name.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Self::Ok, Failed> {
        Err(unsupported())
    }

    unsupported!(
        serialize_bool(bool) -> Self::Ok,
        serialize_i8(i8) -> Self::Ok,
        serialize_i16(i16) -> Self::Ok,
        serialize_i32(i32) -> Self::Ok,
        serialize_i64(i64) -> Self::Ok,
        serialize_u8(u8) -> Self::Ok,
        serialize_u16(u16) -> Self::Ok,
        serialize_u32(u32) -> Self::Ok,
        serialize_u64(u64) -> Self::Ok,
        serialize_f32(f32) -> Self::Ok,
        serialize_f64(f64) -> Self::Ok,
        serialize_char(char) -> Self::Ok,
        serialize_bytes(&[u8]) -> Self::Ok,
        serialize_none() -> Self::Ok,
        serialize_unit() -> Self::Ok,
        serialize_unit_struct(&'static str) -> Self::Ok,
        serialize_unit_variant(&'static str, u32, &'static str) -> Self::Ok,
        serialize_seq(Option<usize>) -> Self::SerializeSeq,
        serialize_tuple(usize) -> Self::SerializeTuple,
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct,
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant,
        serialize_map(Option<usize>) -> Self::SerializeMap,
        serialize_struct(&'static str, usize) -> Self::SerializeStruct,
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant,
    );
}
