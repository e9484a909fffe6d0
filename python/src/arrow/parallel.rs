//! Runs a function over the rows of its inputs: in pieces, on several threads, without the interpreter lock.
//!
//! Each call starts its own threads. A thread pool does not survive a fork, and the workers of Spark are forks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use arrow_array::{Array, ArrayRef};
use arrow_schema::FieldRef;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::chunked_array::ArrowArray;
use super::input::{Batch, Input};
use super::string_column::InvalidText;
use crate::argument_errors::bad_value;

/// The maximum number of rows of a piece. Each piece becomes one chunk of the result.
const PIECE_ROWS: usize = 1 << 16;

/// The number of rows of a group of pieces. After each group, the chunks of the inputs are released.
const GROUP_ROWS: usize = 1 << 20;

/// The time between two checks for signals.
const SIGNAL_CHECK: Duration = Duration::from_millis(50);

/// Ends the work of all threads when a signal handler raises an exception, such as `KeyboardInterrupt`. Only the thread that called
/// the function runs signal handlers.
pub(super) struct Signals {
    caller: ThreadId,
    started: Instant,
    /// The time of the next check, in milliseconds after `started`.
    next: AtomicU64,
    is_stopped: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Signals {
    fn new() -> Self {
        Self {
            caller: std::thread::current().id(),
            started: Instant::now(),
            next: AtomicU64::new(millis(SIGNAL_CHECK)),
            is_stopped: AtomicBool::new(false),
            error: Mutex::new(None),
        }
    }

    /// Returns an error if the work must end. `run` replaces the error with the exception of the signal handler.
    fn check(&self) -> PyResult<()> {
        if std::thread::current().id() == self.caller {
            let now = millis(self.started.elapsed());
            if now >= self.next.load(Ordering::Relaxed) {
                self.next.store(now + millis(SIGNAL_CHECK), Ordering::Relaxed);
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    self.is_stopped.store(true, Ordering::Relaxed);
                }
            }
        }
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err(PyRuntimeError::new_err("interrupted"));
        }
        Ok(())
    }

    /// The exception of a signal handler.
    fn take_error(&self) -> PyResult<()> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Consecutive rows of all inputs.
pub(super) struct Piece {
    /// For each input: its batch, and the first row in that batch.
    pub(super) inputs: Vec<Position>,
    pub(super) len: usize,
    /// The number of the first row in the whole input.
    row: usize,
    names: Arc<[&'static str]>,
    signals: Arc<Signals>,
}

impl Piece {
    /// Returns an error if the work must end because of a signal. Functions call it at least every thousand rows.
    pub(super) fn check_signals(&self) -> PyResult<()> {
        self.signals.check()
    }

    /// The error for invalid text in this piece. `start` is the index in the column of the first row of the piece.
    pub(super) fn invalid_text(&self, input: usize, start: usize, error: InvalidText) -> PyErr {
        let name = self.names.get(input).copied().unwrap_or_default();
        let message =
            if error.is_key { "the index in the dictionary is out of range" } else { "must be valid UTF-8" };
        self.error(name, error.index.saturating_sub(start), message)
    }

    /// An error of a row of this piece; the message counts rows from 1.
    pub(super) fn error(&self, name: &str, row: usize, message: &str) -> PyErr {
        bad_value(format!("{name}: row {}: {message}", self.row + row + 1))
    }
}

/// A batch and a row in it.
type Position = (Arc<Batch>, usize);

/// The rows of inputs whose chunks may have different lengths.
struct Rows {
    inputs: Vec<(Input, Option<Position>)>,
    names: Arc<[&'static str]>,
    row: usize,
    signals: Arc<Signals>,
}

impl Rows {
    /// The next piece.
    fn next(&mut self) -> PyResult<Option<Piece>> {
        let mut len = PIECE_ROWS;
        let mut ended = 0;
        for (input, current) in &mut self.inputs {
            while current.as_ref().is_none_or(|(batch, at)| *at >= batch.len) {
                match input.next()? {
                    Some(batch) => *current = Some((batch, 0)),
                    None => {
                        *current = None;
                        break;
                    }
                }
            }
            match current {
                Some((batch, at)) => len = len.min(batch.len - *at),
                None => ended += 1,
            }
        }
        if ended == self.inputs.len() {
            return Ok(None);
        }
        if ended > 0 {
            let names = self.names.join("` and `");
            return Err(bad_value(format!("`{names}` must have the same number of rows")));
        }
        let inputs = self.inputs.iter_mut().filter_map(|(_, current)| {
            let (batch, at) = current.as_mut()?;
            *at += len;
            Some((batch.clone(), *at - len))
        });
        let (names, signals) = (self.names.clone(), self.signals.clone());
        let piece = Piece { inputs: inputs.collect(), len, row: self.row, names, signals };
        self.row += len;
        Ok(Some(piece))
    }

    fn group(&mut self) -> PyResult<Vec<Piece>> {
        let (mut pieces, mut rows) = (Vec::new(), 0);
        while rows < GROUP_ROWS {
            self.signals.check()?;
            match self.next()? {
                Some(piece) => {
                    rows += piece.len;
                    pieces.push(piece);
                }
                None => break,
            }
        }
        Ok(pieces)
    }
}

/// Applies `function` to all rows of the inputs.
pub(super) fn run(
    py: Python<'_>,
    inputs: Vec<Input>,
    threads: Option<i64>,
    field: FieldRef,
    function: impl Fn(&Piece) -> PyResult<ArrayRef> + Sync,
) -> PyResult<ArrowArray> {
    let threads = match threads {
        Some(threads @ ..1) => {
            let message = format!("threads must be 1 or greater, got {threads}");
            return Err(bad_value(message));
        }
        Some(threads) => usize::try_from(threads).unwrap_or(usize::MAX),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let names = inputs.iter().map(|input| input.name).collect();
    let inputs = inputs.into_iter().map(|input| (input, None)).collect();
    let signals = Arc::new(Signals::new());
    let mut rows = Rows { inputs, names, row: 0, signals: signals.clone() };
    let mut chunks = Vec::new();
    loop {
        let done = py.detach(|| {
            let pieces = rows.group()?;
            for array in mapped(&pieces, threads, &signals, &function)? {
                chunks.push(array.to_data());
            }
            PyResult::Ok(pieces.is_empty())
        });
        signals.take_error()?;
        let done = done?;
        if done {
            return Ok(ArrowArray::new(field, chunks));
        }
        py.check_signals()?;
    }
}

fn mapped<F: Fn(&Piece) -> PyResult<ArrayRef> + Sync>(
    pieces: &[Piece],
    threads: usize,
    signals: &Signals,
    function: &F,
) -> PyResult<Vec<ArrayRef>> {
    let threads = threads.min(pieces.len());
    if threads <= 1 {
        return pieces.iter().map(|piece| guarded(piece, function)).collect();
    }
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        let mut results = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(index) else { break };
            let result = guarded(piece, function);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            results.push((index, result));
        }
        results
    };
    let work = &work;
    let mut results = std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 1..threads {
            let sender = sender.clone();
            let send = move || drop(sender.send(work()));
            // This thread also works, so the function succeeds even if no other thread can be started.
            drop(std::thread::Builder::new().spawn_scoped(scope, send));
        }
        drop(sender);
        let mut results = work();
        loop {
            match receiver.recv_timeout(SIGNAL_CHECK) {
                Ok(others) => results.extend(others),
                Err(RecvTimeoutError::Timeout) => drop(signals.check()),
                Err(RecvTimeoutError::Disconnected) => break results,
            }
        }
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Turns a panic into an exception, so that it does not end the process.
fn guarded(piece: &Piece, function: &impl Fn(&Piece) -> PyResult<ArrayRef>) -> PyResult<ArrayRef> {
    catch_unwind(AssertUnwindSafe(|| function(piece)))
        .unwrap_or_else(|_| Err(PyRuntimeError::new_err("cpaas: internal error in a function of columns")))
}
