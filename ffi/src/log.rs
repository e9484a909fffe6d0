use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::fmt::{Debug, Write};
use std::panic::Location;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Once, PoisonError, RwLock, RwLockWriteGuard};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::boundary::status;
use crate::cpaas_status;

/// A fault of the library itself.
pub const CPAAS_LOG_ERROR: u32 = 1;
/// A call that was given up midway.
pub const CPAAS_LOG_WARN: u32 = 2;
/// What an operator wants to know.
pub const CPAAS_LOG_INFO: u32 = 3;
/// Every retry and every outcome.
pub const CPAAS_LOG_DEBUG: u32 = 4;

/// Hears what the library does: `level` is one of `CPAAS_LOG_...`; `text` is one line of UTF-8, `len`
/// bytes with a NUL after them, valid during the call only. It never holds a key, a message text, a number
/// or a code. It may run on any thread, on several at once, and must neither call this library nor throw.
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub type cpaas_log =
    Option<unsafe extern "C" fn(user_data: *mut c_void, level: u32, text: *const c_char, len: usize)>;

pub(crate) struct Sink {
    log: unsafe extern "C" fn(*mut c_void, u32, *const c_char, usize),
    user_data: *mut c_void,
}

// SAFETY: the caller of `cpaas_log_callback` agrees that the function runs on any thread.
unsafe impl Send for Sink {}
// SAFETY: and on several at once.
unsafe impl Sync for Sink {}

static SINK: RwLock<Option<Sink>> = RwLock::new(None);
static MOST: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static TELLING: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn is_telling() -> bool {
    TELLING.get()
}

/// For the fork: nothing while this very thread is in the function of the caller's.
pub(crate) fn write() -> Option<RwLockWriteGuard<'static, Option<Sink>>> {
    (!is_telling()).then(|| SINK.write().unwrap_or_else(PoisonError::into_inner))
}

/// Sets the function that hears the log, for the whole process; NULL for none, which is how it begins.
/// `level` is the most detailed level that is told. When this returns, the function set before is no
/// longer running and will not be called again.
///
/// Errors: `CPAAS_BAD_ARGUMENT` for a level that is none, and inside the log function itself.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_log_callback(log: cpaas_log, user_data: *mut c_void, level: u32) -> cpaas_status {
    status(|| {
        if log.is_some() && !(CPAAS_LOG_ERROR..=CPAAS_LOG_DEBUG).contains(&level) {
            return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
        }
        let mut sink = write().ok_or(cpaas_status::CPAAS_BAD_ARGUMENT)?;
        crate::fork::prepare_for();
        subscribe();
        MOST.store(if log.is_some() { level } else { 0 }, Ordering::Relaxed);
        *sink = log.map(|log| Sink { log, user_data });
        Ok(())
    })
}

fn subscribe() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = tracing::subscriber::set_global_default(Listener);
    });
}

/// A panic inside the library: where, never with what, since a message may quote its input.
pub(crate) fn fault(place: Option<&Location<'_>>) {
    let place = place.map(ToString::to_string).unwrap_or_default();
    tell(CPAAS_LOG_ERROR, format!("a fault of the library itself place={place}"));
}

fn tell(level: u32, mut line: String) {
    if level > MOST.load(Ordering::Relaxed) || TELLING.replace(true) {
        return;
    }
    line.retain(|c| !c.is_control());
    line.push('\0');
    let sink = SINK.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(sink) = sink.as_ref() {
        // SAFETY: a function of the caller's; the line lives until it returns.
        unsafe { (sink.log)(sink.user_data, level, line.as_ptr().cast(), line.len() - 1) };
    }
    drop(sink);
    TELLING.set(false);
}

/// Passes events of this library on. Those of the HTTP stack below it hold addresses, so they do not pass.
struct Listener;

fn number(level: Level) -> u32 {
    match level {
        Level::ERROR => CPAAS_LOG_ERROR,
        Level::WARN => CPAAS_LOG_WARN,
        Level::INFO => CPAAS_LOG_INFO,
        Level::DEBUG => CPAAS_LOG_DEBUG,
        Level::TRACE => u32::MAX,
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let ours = metadata.target() == "cpaas" || metadata.target().starts_with("cpaas::");
        ours && metadata.is_event() && number(*metadata.level()) <= MOST.load(Ordering::Relaxed)
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
        tell(number(*event.metadata().level()), line.message + &line.fields);
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
