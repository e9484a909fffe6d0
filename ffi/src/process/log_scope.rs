//! The client whose call is running on a thread, for the log of that client.

use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::pin::Pin;
use std::task::{Context, Poll};

thread_local! {
    static CLIENT: Cell<u64> = const { Cell::new(0) };
}

/// The key of the client whose call runs on this thread; 0 if there is none.
pub(crate) fn client_of_call() -> u64 {
    CLIENT.get()
}

/// Runs a call of the client with this key. The lines that the call logs are those of the client, also when it is dropped before its
/// end.
pub(crate) fn in_log_of<F: Future>(key: u64, call: F) -> impl Future<Output = F::Output> {
    InLogOf { key, call: ManuallyDrop::new(call) }
}

struct InLogOf<F> {
    key: u64,
    call: ManuallyDrop<F>,
}

impl<F: Future> Future for InLogOf<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the call is pinned like `self`: it is not moved, and it is dropped where it is.
        let (key, call) = unsafe {
            let Self { key, call } = self.get_unchecked_mut();
            (*key, Pin::new_unchecked(&mut **call))
        };
        let _scope = Scope::enter(key);
        call.poll(context)
    }
}

impl<F> Drop for InLogOf<F> {
    fn drop(&mut self) {
        let _scope = Scope::enter(self.key);
        // SAFETY: nothing uses the call afterwards.
        unsafe { ManuallyDrop::drop(&mut self.call) };
    }
}

/// The time in which a thread runs a call. A call may run in another one.
struct Scope {
    outer: u64,
}

impl Scope {
    fn enter(key: u64) -> Self {
        Self { outer: CLIENT.replace(key) }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        CLIENT.set(self.outer);
    }
}
