//! The native module of the Python package `cpaas`.
//!
//! It carries data across the boundary and nothing else: arguments become JSON text, the core does
//! the call, and the answer fills the generated Python classes. Rules, retries and defaults live in
//! the core. Worker threads never attach to the interpreter.
#![allow(unsafe_code, reason = "glue to the interpreter; every block gives its reason")]
#![expect(
    clippy::too_many_arguments,
    reason = "one positional call from the generated methods is the quickest"
)]

mod client;
mod decode;
mod encode;
mod fault;
mod plan;
mod response;
mod runtime;
mod wait;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
mod _cpaas {
    #[pymodule_export]
    use super::client::Native;
    #[pymodule_export]
    use super::response::Response;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", cpaas::VERSION)?;
        module.add_function(wrap_pyfunction!(super::encode::to_json_text, module)?)?;
        let at_exit = wrap_pyfunction!(super::runtime::at_exit, module)?;
        module.py().import("atexit")?.call_method1("register", (&at_exit,))?;
        module.add_function(at_exit)
    }
}
