//! The native module of the Python package `cpaas`.
//!
//! It only converts data: arguments become JSON, the core runs the call, and the result becomes an instance of a generated
//! Python class. Rules, retries and defaults are in the core. Worker threads never attach to the interpreter.
#![allow(unsafe_code, reason = "calls of the C API of Python; every block gives its reason")]
#![expect(
    clippy::too_many_arguments,
    reason = "the generated methods pass positional arguments, which is fastest"
)]

mod argument_errors;
mod arguments;
mod arrow;
mod call;
mod call_result;
mod callback_template;
mod callbacks;
#[cfg(feature = "campaign")]
mod campaign;
mod client;
mod completion_queue;
mod decode_text;
mod encode;
mod event;
mod exceptions;
mod guard;
mod hook;
mod http_reports;
mod interrupt;
mod metadata;
mod observed_call;
mod pages;
mod printable;
mod public_function;
mod python_value;
mod response;
mod runtime;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "campaign")]
mod send_once;
mod suppression;
mod surrogates;
mod text;
mod wakeup;
#[cfg(unix)]
mod wakeup_fd;

use pyo3::prelude::*;

// The audit for interpreters without the GIL is in docs/decisions.md, "Free-threaded Python".
#[pymodule(gil_used = true)]
mod _cpaas {
    #[cfg(feature = "sandbox")]
    #[pymodule_export]
    use super::sandbox::{SandboxServer, run_sandbox};
    #[cfg(feature = "campaign")]
    #[pymodule_export]
    use super::{
        arrow::ArrowOutcomes,
        campaign::{CampaignJournal, CampaignRun, CampaignTest, plan_rows},
        suppression::{SuppressionDatabase, has_password},
    };
    #[pymodule_export]
    use super::{
        arrow::{
            ArrowArray, ArrowTable, ArrowTableColumns, PyArrowRows, arrow_check_numbers, arrow_estimate,
            arrow_normalize_numbers, arrow_parse_markup, arrow_prefixed, arrow_render, arrow_requests,
            arrow_segments, arrow_summary, arrow_validate,
        },
        callback_template::Template,
        callbacks::{Duplicates, Keyring, Pending, Received, Receiver, intent, token_url},
        client::{NativeClient, misspelled_variables},
        completion_queue::{CallOutcome, CompletionQueue, CompletionWaiter},
        decode_text::decode_text,
        encode::to_json_text,
        guard::NativeGuard,
        pages::PageCursor,
        printable::printable,
        public_function::{CallScope, enter, leave, on_leave, returned},
        response::Response,
        text::{
            SegmentCounts, ValidationContext, annotate, app_hash, autofill_body, check, check_autofill,
            check_number, check_sender, count_segments, decode_parts, encode_parts, escape_markup, estimate,
            estimate_to, normalize_number, parse_markup, problem_codes, segments, template_segments,
            transliterate, validate,
        },
    };
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::runtime::require_main_interpreter(module.py())?;
        module.add("__version__", cpaas::VERSION)?;
        let at_exit = wrap_pyfunction!(super::runtime::at_exit, module)?;
        module.py().import("atexit")?.call_method1("register", (&at_exit,))?;
        module.add_function(at_exit)
    }
}
