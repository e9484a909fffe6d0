//! The handler of each operation. An operation without one does not compile.

use axum::response::Response;
use cpaas::OperationId;
use cpaas::operation::Operation;

use crate::call::{Call, Later};
use crate::provider_error::ProviderResult;

/// Handles a call immediately, or after a call to another server.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    Now(fn(&mut Call<'_>) -> ProviderResult<Response>),
    Later(for<'a, 'c> fn(&'a mut Call<'c>) -> Later<'a>),
}

/// An operation that the sandbox handles.
pub(crate) trait Handled: Operation {
    const HANDLER: Handler;
}

/// Declares the handlers of operations.
macro_rules! handles {
    ($( $operation:ty => $handler:expr ),* $(,)?) => {
        $( impl $crate::handlers::Handled for $operation {
            const HANDLER: $crate::handlers::Handler = $handler;
        } )*
    };
}

macro_rules! handler_of {
    ($( $variant:ident = $operation:ty ),* $(,)?) => {
        const HANDLERS: &[(OperationId, Handler)] =
            &[$( (OperationId::$variant, <$operation as Handled>::HANDLER) ),*];
    };
}

cpaas::with_operations!(handler_of);

pub(crate) fn handler(operation: OperationId) -> Option<Handler> {
    HANDLERS.iter().find(|(handled, _)| *handled == operation).map(|(_, handler)| *handler)
}

pub(crate) use handles;
