//! A store of numbers that get no SMS, which is a function of the program.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use cpaas_core::clock::BoxFuture;
use cpaas_core::suppression::{StoreError, SuppressionStore};

use crate::process::handoff::SharedHandoff;
use crate::process::program_function::{self, ProgramFunction};

/// The function that `cpaas_client_suppression` sets, and what it is called with.
#[derive(Clone)]
pub(crate) struct ProgramStore {
    function: SuppressionFn,
    user_data: *mut c_void,
    /// Whether the thread that runs the call runs the function too; without HTTP it always does.
    #[cfg(feature = "http")]
    is_on_calling_thread: bool,
    /// Published by the thread that sets the function, and joined by those that run it.
    set: Arc<SharedHandoff>,
}

type SuppressionFn = unsafe extern "C" fn(*mut c_void, *const c_char, usize) -> i32;

// SAFETY: the contract of `cpaas_suppression` allows any thread, and several at once.
unsafe impl Send for ProgramStore {}
// SAFETY: as above.
unsafe impl Sync for ProgramStore {}

impl ProgramStore {
    pub(crate) fn new(function: SuppressionFn, user_data: *mut c_void) -> Self {
        Self {
            function,
            user_data,
            #[cfg(feature = "http")]
            is_on_calling_thread: false,
            set: Arc::default(),
        }
    }

    /// The same store for an exchange, which uses no other thread.
    pub(crate) fn on_calling_thread(&self) -> Self {
        Self {
            #[cfg(feature = "http")]
            is_on_calling_thread: true,
            ..self.clone()
        }
    }

    /// Shows the threads that will run the function what this thread wrote.
    pub(crate) fn publish(&self) {
        self.set.publish();
    }

    pub(crate) fn in_child(&self) -> Self {
        Self::new(self.function, self.user_data)
    }

    fn ask(&self, number: &str) -> Result<bool, StoreError> {
        let len = number.len();
        let number = std::ffi::CString::new(number)?;
        // SAFETY: the text is valid during the call, and the program keeps `user_data` valid.
        let ask = || unsafe { (self.function)(self.user_data, number.as_ptr(), len) };
        match program_function::run(ProgramFunction::Suppression, ask) {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err("the function of the program did not return 0 or 1".into()),
        }
    }

    fn ask_all<'a>(&self, numbers: impl IntoIterator<Item = &'a String>) -> Result<Vec<bool>, StoreError> {
        self.set.join();
        numbers.into_iter().map(|number| self.ask(number)).collect()
    }

    /// Asks on a thread of its own, because the function may block. Asks for no further number after the call has ended.
    #[cfg(feature = "http")]
    async fn ask_on_other_thread(&self, numbers: Vec<String>) -> Result<Vec<bool>, StoreError> {
        use crate::process::handoff::Handoff;
        use crate::process::runtime;

        let store = self.clone();
        let (sender, found) = tokio::sync::oneshot::channel();
        let call = Arc::new(Handoff::new());
        let asking = Arc::clone(&call);
        let asks = move || {
            asking.pass();
            let found = store.ask_all(numbers.iter().take_while(|_| !sender.is_closed()));
            asking.pass();
            let _ = sender.send(found);
        };
        call.pass();
        runtime::store_threads()?.run(asks).await;
        let found = found.await;
        call.pass();
        found?
    }
}

impl SuppressionStore for ProgramStore {
    fn is_suppressed<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.are_suppressed(&[number.to_owned()]).await? == [true]) })
    }

    fn are_suppressed<'a>(&'a self, numbers: &'a [String]) -> BoxFuture<'a, Result<Vec<bool>, StoreError>> {
        #[cfg(feature = "http")]
        if !self.is_on_calling_thread {
            return Box::pin(self.ask_on_other_thread(numbers.to_vec()));
        }
        Box::pin(async move { self.ask_all(numbers) })
    }

    fn add<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async { Err("a client adds no numbers".into()) })
    }

    fn remove<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async { Err("a client removes no numbers".into()) })
    }
}
