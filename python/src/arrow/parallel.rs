//! Runs a function over the rows of its inputs: in pieces, on several threads, without the interpreter lock.
//!
//! Each call starts its own threads. A thread pool does not survive a fork, and the workers of Spark are forks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{ScopedJoinHandle, ThreadId};
use std::time::{Duration, Instant};

use arrow_array::{Array, ArrayRef};
use arrow_data::ArrayData;
use arrow_schema::{DataType, FieldRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::batch::Batch;
use super::chunked_array::ArrowArray;
use super::fields::{all_nullable, nullable};
use super::input::Input;
use super::name_column::without_unused;
use super::string_column::InvalidText;
use crate::argument_errors::bad_value;

/// The maximum number of rows of a piece. Each piece becomes one chunk of the result.
const PIECE_ROWS: usize = 1 << 16;

/// The number of rows of a group of pieces. After each group, the chunks of the inputs are released.
const GROUP_ROWS: usize = 1 << 20;

/// The number of rows of a thread from which its preparation is worth its time.
const PREPARED_ROWS: usize = 100_000;

/// The time between two checks for signals.
const SIGNAL_CHECKS: Duration = Duration::from_millis(50);

/// Runs signal handlers while a function works, so that Ctrl-C ends it. Only the calling thread can.
struct Signals {
    caller: ThreadId,
    next: Mutex<Instant>,
    interrupted: AtomicBool,
    exception: Mutex<Option<PyErr>>,
}

impl Signals {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            caller: std::thread::current().id(),
            next: Mutex::new(Instant::now() + SIGNAL_CHECKS),
            interrupted: AtomicBool::new(false),
            exception: Mutex::new(None),
        })
    }

    /// Returns whether a signal handler raised an exception.
    fn check(&self) -> bool {
        if self.interrupted.load(Ordering::Relaxed) || std::thread::current().id() != self.caller {
            return self.interrupted.load(Ordering::Relaxed);
        }
        let mut next = lock(&self.next);
        let now = Instant::now();
        if now < *next {
            return false;
        }
        *next = now + SIGNAL_CHECKS;
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(error) => {
                lock(&self.exception).get_or_insert(error);
                self.interrupted.store(true, Ordering::Relaxed);
                true
            }
        }
    }
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
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
    /// Checks for signals now and then. To be called at least once for 1,024 rows of text.
    ///
    /// # Errors
    /// When a signal handler raised an exception, which the caller of the function gets.
    pub(super) fn check_signals(&self) -> PyResult<()> {
        if self.signals.check() { Err(bad_value("the function was interrupted")) } else { Ok(()) }
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

/// Applies `function` to all rows of the inputs. `field` is the type of the result if no row of the first input is null.
pub(super) fn run(
    py: Python<'_>,
    inputs: Vec<Input>,
    threads: Option<i64>,
    field: FieldRef,
    function: impl Fn(&Piece) -> PyResult<ArrayRef> + Sync,
) -> PyResult<ArrowArray> {
    run_prepared(py, inputs, threads, field, || (), function)
}

/// As [`run`]. A thread that works on many rows beside others holds the result of `prepare`.
pub(super) fn run_prepared<P>(
    py: Python<'_>,
    inputs: Vec<Input>,
    threads: Option<i64>,
    field: FieldRef,
    prepare: impl Fn() -> P + Sync,
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
    let is_nullable = inputs.first().is_none_or(Input::is_nullable);
    let inputs = inputs.into_iter().map(|input| (input, None)).collect();
    let signals = Signals::new();
    let mut rows = Rows { inputs, names, row: 0, signals: signals.clone() };
    let mut chunks = Vec::new();
    loop {
        let done = py.detach(|| {
            let pieces = rows.group()?;
            let arrays = mapped(&pieces, threads, &prepare, &function, &signals);
            if let Some(exception) = lock(&signals.exception).take() {
                return Err(exception);
            }
            for array in arrays? {
                chunks.push(array.to_data());
            }
            PyResult::Ok(pieces.is_empty())
        })?;
        if done {
            let chunks = without_unused(chunks)?;
            // A table with a column that its type declares to be without nulls may contain nulls nevertheless.
            let has_nulls = is_nullable || chunks.iter().any(|chunk| chunk.null_count() > 0);
            return Ok(if has_nulls { nullable_result(&field, chunks) } else { result(field, chunks) });
        }
        py.check_signals()?;
    }
}

/// A result whose rows may be null.
fn nullable_result(field: &FieldRef, chunks: Vec<ArrayData>) -> ArrowArray {
    let data_type = match field.data_type() {
        DataType::Struct(fields) => DataType::Struct(all_nullable(fields)),
        other => other.clone(),
    };
    ArrowArray::new(nullable(field.name(), data_type), chunks)
}

/// A result with the type `field`.
fn result(field: FieldRef, chunks: Vec<ArrayData>) -> ArrowArray {
    let typed = chunks.into_iter().map(|chunk| {
        let builder = chunk.into_builder().data_type(field.data_type().clone());
        // SAFETY: the types differ only in what may be null, and no row is null.
        unsafe { builder.build_unchecked() }
    });
    let typed = typed.collect();
    ArrowArray::new(field, typed)
}

fn mapped<P, F: Fn(&Piece) -> PyResult<ArrayRef> + Sync>(
    pieces: &[Piece],
    threads: usize,
    prepare: &(impl Fn() -> P + Sync),
    function: &F,
    signals: &Signals,
) -> PyResult<Vec<ArrayRef>> {
    let threads = threads.min(pieces.len());
    if threads <= 1 {
        return pieces.iter().map(|piece| guarded(piece, function)).collect();
    }
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let rows: usize = pieces.iter().map(|piece| piece.len).sum();
    let is_prepared = rows / threads >= PREPARED_ROWS;
    let work = || {
        let _prepared = is_prepared.then(prepare);
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
    let mut results = std::thread::scope(|scope| {
        // This thread also works, so the function succeeds even if no other thread can be started.
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mut results = work();
        while !others.iter().all(ScopedJoinHandle::is_finished) {
            signals.check();
            std::thread::sleep(Duration::from_millis(1));
        }
        results.extend(others.into_iter().filter_map(|thread| thread.join().ok()).flatten());
        results
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Turns a panic into an exception, so that it does not end the process.
fn guarded(piece: &Piece, function: &impl Fn(&Piece) -> PyResult<ArrayRef>) -> PyResult<ArrayRef> {
    catch_unwind(AssertUnwindSafe(|| function(piece)))
        .unwrap_or_else(|_| Err(PyRuntimeError::new_err("cpaas: internal error in a function of columns")))
}
