//! The callback of a program that runs on a thread.

use std::cell::Cell;

thread_local! {
    /// The key of the client whose callback runs on this thread; 0 if there is none.
    pub(crate) static CALLBACK_OF: Cell<u64> = const { Cell::new(0) };
}
