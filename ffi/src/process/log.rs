use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::fmt::{Debug, Write};
use std::panic::Location;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Once, PoisonError, RwLock, RwLockWriteGuard};
use std::time::Duration;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::boundary::return_status;
use crate::cpaas_status;

/// Log level: an internal error of the library.
pub const CPAAS_LOG_ERROR: u32 = 1;
/// Log level: a call with an unknown outcome, or abandoned before it ended.
pub const CPAAS_LOG_WARN: u32 = 2;
/// Log level: events for operators.
pub const CPAAS_LOG_INFO: u32 = 3;
/// Log level: every retry and every outcome.
pub const CPAAS_LOG_DEBUG: u32 = 4;

/// Receives log lines. `level` is one of `CPAAS_LOG_...`; `text` is one line of UTF-8, `len` bytes and a NUL after
/// them, valid during the call only. A line never contains a key, a message text, a phone number or a code.
///
/// The library may call it on any thread, and on several threads at once. It must not call this library and must not
/// throw.
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub type cpaas_log =
    Option<unsafe extern "C" fn(user_data: *mut c_void, level: u32, text: *const c_char, len: usize)>;

/// The log function of the process. Each thread that runs it holds a reference and no lock, so that a `fork` never waits
/// for a function that waits for the forking thread.
#[derive(Clone, Copy)]
pub(crate) struct Sink {
    function: unsafe extern "C" fn(*mut c_void, u32, *const c_char, usize),
    user_data: *mut c_void,
}

// SAFETY: the caller of `cpaas_log_callback` agrees that the function runs on any thread.
unsafe impl Send for Sink {}
// SAFETY: and on several threads at once.
unsafe impl Sync for Sink {}

static SINK: RwLock<Option<Arc<Sink>>> = RwLock::new(None);
static MAX_LEVEL: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static IS_LOGGING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread runs the log function.
pub(crate) fn is_logging() -> bool {
    IS_LOGGING.get()
}

/// Locks the log function against changes.
pub(crate) fn lock_sink() -> RwLockWriteGuard<'static, Option<Arc<Sink>>> {
    SINK.write().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets, in the child of a fork, the threads of the parent that ran the log function.
pub(crate) fn renew(sink: &mut Option<Arc<Sink>>) {
    if let Some(old) = sink.take() {
        *sink = Some(Arc::new(*old));
        std::mem::forget(old);
    }
}

/// Waits until no thread runs a function that was replaced.
fn wait_until_unused(sink: Option<Arc<Sink>>) {
    while sink.as_ref().is_some_and(|sink| Arc::strong_count(sink) > 1) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Sets the log function of the process; NULL, the initial value, turns the log off. `level` is the most detailed
/// level that is logged. When this returns, the previous function is not running and will not be called again.
///
/// Errors: `CPAAS_BAD_ARGUMENT` for an unknown level, and for a call from the log function itself.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_log_callback(log: cpaas_log, user_data: *mut c_void, level: u32) -> cpaas_status {
    return_status(|| {
        if log.is_some() && !(CPAAS_LOG_ERROR..=CPAAS_LOG_DEBUG).contains(&level) {
            return Err(cpaas_status::CPAAS_BAD_ARGUMENT.into());
        }
        if is_logging() {
            return Err(cpaas_status::CPAAS_BAD_ARGUMENT.into());
        }
        super::handle_forks();
        subscribe();
        let mut sink = lock_sink();
        MAX_LEVEL.store(if log.is_some() { level } else { 0 }, Ordering::Relaxed);
        let new = log.map(|function| Arc::new(Sink { function, user_data }));
        let old = std::mem::replace(&mut *sink, new);
        drop(sink);
        wait_until_unused(old);
        Ok(())
    })
}

fn subscribe() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = tracing::subscriber::set_global_default(LogSubscriber);
    });
}

/// Logs the file and the line of a panic. The message may quote input, and the folder is that of the build machine.
pub(crate) fn log_panic(location: Option<&Location<'_>>) {
    let location = location.map_or_else(String::new, |location| {
        let file = location.file().rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{file}:{}", location.line())
    });
    write_line(CPAAS_LOG_ERROR, format!("internal error location={location}"));
}

fn write_line(level: u32, mut line: String) {
    if level > MAX_LEVEL.load(Ordering::Relaxed) || IS_LOGGING.replace(true) {
        return;
    }
    line.retain(|c| !c.is_control());
    line.push('\0');
    let sink = SINK.read().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(sink) = &sink {
        // SAFETY: the function is the caller's, and `line` outlives the call.
        unsafe { (sink.function)(sink.user_data, level, line.as_ptr().cast(), line.len() - 1) };
    }
    drop(sink);
    IS_LOGGING.set(false);
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
        is_ours && metadata.is_event() && level_number(*metadata.level()) <= MAX_LEVEL.load(Ordering::Relaxed)
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
        write_line(level_number(*event.metadata().level()), line.message + &line.fields);
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
        let _ = write!(self.fields, " {}={value}", field.name());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = if field.name() == "message" {
            write!(self.message, "{value:?}")
        } else {
            write!(self.fields, " {}={value:?}", field.name())
        };
    }
}
