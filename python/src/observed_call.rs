//! A call with the event of its end.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::call_result::CallEnded;
use crate::event::{self, OwnedEvent};
use crate::runtime;

/// A call, and the last event that the core reported while the call was polled or dropped: `send_once` can report several. Calls that run
/// between two polls, such as those of a hook or of a signal handler, keep their own events.
pub(crate) struct ObservedCall {
    call: Pin<Box<dyn Future<Output = CallEnded> + Send>>,
    event: Option<OwnedEvent>,
}

impl ObservedCall {
    pub(crate) fn new(call: impl Future<Output = CallEnded> + Send + 'static) -> Self {
        Self { call: Box::pin(call), event: None }
    }

    /// Drops the call, and returns its event. `None` if the core has never polled it.
    pub(crate) fn end(self) -> Option<OwnedEvent> {
        let Self { call, event } = self;
        let (last, ()) = event::observe(|| runtime::drop_future(call));
        last.or(event)
    }
}

impl Future for ObservedCall {
    type Output = CallEnded;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<CallEnded> {
        let (last, result) = event::observe(|| self.call.as_mut().poll(context));
        if last.is_some() {
            self.event = last;
        }
        result
    }
}
