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

mod callbacks;
mod client;
mod decode;
mod encode;
mod event;
mod fault;
mod half;
mod plan;
mod port;
mod request;
mod response;
mod runtime;
#[cfg(feature = "sandbox")]
mod sandbox;
mod slot;
mod text;
mod wait;
mod wake;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
mod _cpaas {
    #[cfg(feature = "sandbox")]
    #[pymodule_export]
    use super::sandbox::{Server, run_sandbox};
    #[cfg(feature = "phone")]
    #[pymodule_export]
    use super::text::check_number;
    #[pymodule_export]
    use super::{
        callbacks::{Duplicates, Keyring, Pending, Received, Receiver, Template, token_url},
        client::Native,
        encode::to_json_text,
        port::Port,
        request::Pages,
        response::Response,
        text::{
            SegmentCounts, annotate, check, check_sender, count_segments, escape_markup, estimate,
            parse_markup, problem_codes, segments, validate,
        },
    };
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::runtime::main_interpreter(module.py())?;
        module.add("__version__", cpaas::VERSION)?;
        let at_exit = wrap_pyfunction!(super::runtime::at_exit, module)?;
        module.py().import("atexit")?.call_method1("register", (&at_exit,))?;
        module.add_function(at_exit)
    }
}
