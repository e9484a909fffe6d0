//! Suppression stores: a database, or an object of the program.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use cpaas::clock::BoxFuture;
use cpaas::suppression::{StoreError, SuppressionStore};
#[cfg(feature = "campaign")]
use cpaas_campaign::{Result, SqlSuppressionStore};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

#[cfg(feature = "campaign")]
use crate::argument_errors;
#[cfg(feature = "campaign")]
use crate::arguments::text;
use crate::encode::type_name;

/// A suppression store in an SQLite file or in Postgres.
#[cfg(feature = "campaign")]
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct SuppressionDatabase {
    pub(crate) store: SqlSuppressionStore,
}

#[cfg(feature = "campaign")]
#[pymethods]
impl SuppressionDatabase {
    #[new]
    #[pyo3(signature = (url, /))]
    fn new(url: &Bound<'_, PyAny>) -> PyResult<Self> {
        let address = text("path", url)?.to_owned();
        let opened = url.py().detach(|| SqlSuppressionStore::open(&address));
        opened.map(|store| Self { store }).map_err(failed)
    }

    /// The path of the file, or the address of the database without its password.
    #[getter]
    fn place(&self) -> &str {
        self.store.place()
    }

    /// Whether the store contains a number.
    #[pyo3(signature = (number, /))]
    fn is_suppressed(&self, number: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.run(number, SqlSuppressionStore::contains)
    }

    /// Adds a number, which may be in the national form of a region. Returns whether it is new.
    #[pyo3(signature = (number, region, /))]
    fn add(&self, number: &Bound<'_, PyAny>, region: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let Some(region) = region else { return self.run(number, SqlSuppressionStore::insert) };
        let region = text("region", region)?.to_owned();
        self.run(number, move |store, number| store.insert_in(number, &region))
    }

    /// Whether a number without `+` or `00` is assigned in no country.
    #[staticmethod]
    #[pyo3(signature = (number, /))]
    fn is_unassigned(number: &Bound<'_, PyAny>) -> PyResult<bool> {
        text("number", number).map(SqlSuppressionStore::is_unassigned)
    }

    /// The identity of the store.
    fn identity(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.store.identity()).map_err(failed)
    }

    /// Removes a number. Returns whether the store contained it.
    #[pyo3(signature = (number, /))]
    fn remove(&self, number: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.run(number, SqlSuppressionStore::delete)
    }
}

#[cfg(feature = "campaign")]
impl SuppressionDatabase {
    fn run(
        &self,
        number: &Bound<'_, PyAny>,
        command: impl FnOnce(&SqlSuppressionStore, &str) -> Result<bool> + Send,
    ) -> PyResult<bool> {
        let digits = text("number", number)?.to_owned();
        number.py().detach(|| command(&self.store, &digits)).map_err(failed)
    }
}

/// Whether the address of a database contains a password.
#[cfg(feature = "campaign")]
#[pyfunction]
#[pyo3(signature = (address, /))]
pub(crate) fn has_password(address: &Bound<'_, PyAny>) -> PyResult<bool> {
    text("address", address).map(cpaas_campaign::has_password)
}

#[cfg(feature = "campaign")]
fn failed(error: cpaas_campaign::Error) -> PyErr {
    argument_errors::bad_value(error.to_string())
}

/// The store of a client: the database, or an object whose method `is_suppressed` is called.
pub(crate) fn store(given: &Bound<'_, PyAny>) -> Arc<dyn SuppressionStore> {
    #[cfg(feature = "campaign")]
    if let Ok(database) = given.cast::<SuppressionDatabase>() {
        return Arc::new(database.get().store.clone());
    }
    Arc::new(PythonStore { object: Arc::new(given.clone().unbind()) })
}

/// The exception of a store of the program. Its text may contain the number, so neither form shows it.
pub(crate) struct StoreRaised(PyErr);

impl StoreRaised {
    /// The exception of the store that caused an error, if one did.
    pub(crate) fn find(py: Python<'_>, error: &cpaas::Error) -> Option<PyErr> {
        let mut cause = error.source();
        while let Some(error) = cause {
            if let Some(raised) = error.downcast_ref::<Self>() {
                return Some(raised.0.clone_ref(py));
            }
            cause = error.source();
        }
        None
    }
}

impl fmt::Debug for StoreRaised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoreRaised(…)")
    }
}

impl fmt::Display for StoreRaised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the method `is_suppressed` raised an exception, or did not return a bool or an int")
    }
}

impl Error for StoreRaised {}

/// An object of the program. A client calls only `is_suppressed`.
struct PythonStore {
    object: Arc<Py<PyAny>>,
}

impl SuppressionStore for PythonStore {
    fn is_suppressed<'a>(&'a self, number: &'a str) -> BoxFuture<'a, std::result::Result<bool, StoreError>> {
        let (object, number) = (Arc::clone(&self.object), number.to_owned());
        // On a thread of its own, because the method may block.
        let answer = move || {
            Python::try_attach(|py| {
                let answer = object.bind(py).call_method1("is_suppressed", (number,))?;
                // Databases return 0 or 1.
                let number = || answer.extract::<i64>().map(|number| number != 0);
                answer.extract::<bool>().or_else(|_| number()).map_err(|_| {
                    let kind = type_name(&answer);
                    PyTypeError::new_err(format!("is_suppressed must return a bool or an int, got {kind}"))
                })
            })
        };
        Box::pin(async move {
            let answer = tokio::task::spawn_blocking(answer).await?;
            answer.ok_or("the interpreter is shutting down")?.map_err(|error| StoreRaised(error).into())
        })
    }

    fn add<'a>(&'a self, _: &'a str) -> BoxFuture<'a, std::result::Result<bool, StoreError>> {
        Box::pin(async { Err("a client adds no numbers".into()) })
    }

    fn remove<'a>(&'a self, _: &'a str) -> BoxFuture<'a, std::result::Result<bool, StoreError>> {
        Box::pin(async { Err("a client removes no numbers".into()) })
    }
}
