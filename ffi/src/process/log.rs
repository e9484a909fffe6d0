//! The log: the function that the program sets, and the events that it receives.

use std::ffi::{c_char, c_void};
use std::fmt::{Debug, Write};
use std::panic::Location;
use std::sync::Once;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::log_sink::{self, Sink, is_enabled, write_line};
use super::program_function;
use crate::boundary::{Failure, return_status};
use crate::cpaas_status;

/// Log level: an internal error of the library.
pub const CPAAS_LOG_ERROR: u32 = 1;
/// Log level: a call with an unknown outcome, or abandoned before it ended; a store that failed or did not answer; a passcode
/// without a code in its text; an environment variable whose name resembles that of a setting.
pub const CPAAS_LOG_WARN: u32 = 2;
/// Log level: a call that was rejected, not sent or invalid.
pub const CPAAS_LOG_INFO: u32 = 3;
/// Log level: every retry, and the end of every other call.
pub const CPAAS_LOG_DEBUG: u32 = 4;

/// Receives log lines. `level` is one of `CPAAS_LOG_...`; `text` is one line of UTF-8, `len` bytes and a NUL after
/// them, valid during the call only. A line never contains a key, a message text, a phone number or a code. It has at most
/// 2,000 characters and no control character: names that the program chose, such as references, are changed accordingly. A
/// value with white space, `=` or `"` is in double quotes, with `\` before each `"` and `\`.
///
/// The library may call the function on any thread, and on several threads at once. SIGPIPE is blocked while it runs: a
/// write to a closed pipe fails with EPIPE. The function must not throw, and must not call this library: there, functions that make or start
/// calls, drain a client or set a log are `CPAAS_BAD_ARGUMENT`.
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub type cpaas_log =
    Option<unsafe extern "C" fn(user_data: *mut c_void, level: u32, text: *const c_char, len: usize)>;

/// Sets the log function of the process; NULL, the initial value, turns the log off. `level` is the most detailed
/// level that is logged. After the return, the previous function is not running and will not be called again.
///
/// Errors: `CPAAS_BAD_ARGUMENT` for an unknown level, and for a call from the log function itself or from the suppression function.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_log_callback(log: cpaas_log, user_data: *mut c_void, level: u32) -> cpaas_status {
    return_status(|| {
        let sink = sink(log, user_data, level)?;
        super::handle_forks();
        subscribe();
        log_sink::set(sink);
        Ok(())
    })
}

/// The log function that a program sets.
pub(crate) fn sink(log: cpaas_log, user_data: *mut c_void, level: u32) -> Result<Option<Sink>, Failure> {
    if log.is_some() && !(CPAAS_LOG_ERROR..=CPAAS_LOG_DEBUG).contains(&level) {
        return Err(Failure::bad_argument("level", "must be one of CPAAS_LOG_..."));
    }
    program_function::refuse("log")?;
    Ok(log.map(|function| Sink::new(function, user_data, level)))
}

/// Receives the events and the panics of this library from now on.
pub(crate) fn subscribe() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = tracing::subscriber::set_global_default(LogSubscriber);
        std::panic::set_hook(Box::new(|info| log_panic(info.location())));
    });
}

/// Logs the file name and the line of a panic. Omits the message, which may quote input, and the folder, which is a folder of the
/// build machine.
fn log_panic(location: Option<&Location<'_>>) {
    let location = location.map_or_else(String::new, |location| {
        let file = location.file().rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{file}:{}", location.line())
    });
    write_line(CPAAS_LOG_ERROR, &format!("internal error location={location}"));
}

/// Passes the events of this library to the log function. Events of the HTTP crates contain addresses, so they are
/// dropped.
struct LogSubscriber;

fn level_number(level: Level) -> u32 {
    match level {
        Level::ERROR => CPAAS_LOG_ERROR,
        Level::WARN => CPAAS_LOG_WARN,
        Level::INFO => CPAAS_LOG_INFO,
        Level::DEBUG => CPAAS_LOG_DEBUG,
        Level::TRACE => u32::MAX,
    }
}

impl Subscriber for LogSubscriber {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let is_ours = metadata.target() == "cpaas" || metadata.target().starts_with("cpaas::");
        is_ours && metadata.is_event() && is_enabled(level_number(*metadata.level()))
    }

    fn register_callsite(&self, _: &'static Metadata<'static>) -> tracing::subscriber::Interest {
        tracing::subscriber::Interest::sometimes()
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::default();
        event.record(&mut line);
        write_line(level_number(*event.metadata().level()), &(line.message + &line.fields));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[derive(Default)]
struct Line {
    message: String,
    fields: String,
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        let must_quote = |c: char| c.is_whitespace() || matches!(c, '=' | '"');
        let _ = if value.contains(must_quote) {
            write!(self.fields, " {}={value:?}", field.name())
        } else {
            write!(self.fields, " {}={value}", field.name())
        };
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = if field.name() == "message" {
            write!(self.message, "{value:?}")
        } else {
            write!(self.fields, " {}={value:?}", field.name())
        };
    }
}
