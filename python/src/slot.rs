//! A slot of a generated class, filled past the class's own `__setattr__`, which refuses.

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

/// What the class's descriptor does when the attribute is assigned.
pub(crate) struct Slot {
    descriptor: Py<PyAny>,
    write: ffi::descrsetfunc,
}

impl Slot {
    pub(crate) fn of(class: &Bound<'_, PyType>, name: &Bound<'_, PyString>) -> PyResult<Self> {
        let descriptor = class.getattr(name)?;
        // SAFETY: a live type and a number that names a slot of it; null says that the slot is empty.
        let write = unsafe { ffi::PyType_GetSlot(ffi::Py_TYPE(descriptor.as_ptr()), ffi::Py_tp_descr_set) };
        if write.is_null() {
            return Err(PyTypeError::new_err(format!("cpaas: {name} is no slot")));
        }
        // SAFETY: the slot `tp_descr_set` holds a function of this type, and builtin types live for ever.
        let write = unsafe { std::mem::transmute::<*mut std::ffi::c_void, ffi::descrsetfunc>(write) };
        Ok(Self { descriptor: descriptor.unbind(), write })
    }

    pub(crate) fn set(&self, object: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        // SAFETY: three live references, borrowed by the call; the descriptor checks the object's class.
        let done = unsafe { (self.write)(self.descriptor.as_ptr(), object.as_ptr(), value.as_ptr()) };
        if done == 0 {
            return Ok(());
        }
        Err(PyErr::take(object.py()).unwrap_or_else(|| PyRuntimeError::new_err("cpaas: a slot was not set")))
    }
}
