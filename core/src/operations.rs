//! The one list of operations.
//!
//! It yields the table, the JSON entries and the schemas; the sandbox routes from it, the bindings
//! are generated from it.

pub mod messages;
pub mod sms;

use crate::operation::Meta;
use crate::problem::Report;
use crate::validate;
#[cfg(feature = "wire")]
use crate::{error::Error, http::HttpResponse, json, wire::Wire};

macro_rules! operations {
    ($( $variant:ident = $operation:ty ),* $(,)?) => {
        /// An operation by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum OperationId {
            $( #[doc = concat!("[`", stringify!($operation), "`]")] $variant, )*
        }

        impl OperationId {
            /// Every operation, in the order of the specification.
            pub const ALL: &'static [Self] = &[$( Self::$variant ),*];

            /// The row of the table.
            #[must_use]
            pub fn meta(self) -> &'static Meta {
                match self { $( Self::$variant => { static META: Meta = Meta::of::<$operation>(); &META } )* }
            }

            /// Checks a request given as JSON: everything wrong in one pass.
            #[must_use]
            pub fn validate_json(self, request: &str) -> Report {
                match self { $( Self::$variant => Report::new(validate::json::<$operation>(request).1), )* }
            }

            /// Checks a request given as JSON and makes the HTTP request of it.
            ///
            /// # Errors
            /// `invalid` with all problems, or a configuration without the address or key needed.
            #[cfg(feature = "wire")]
            pub fn prepare_json(self, request: &str, wire: &Wire) -> Result<json::Prepared, Error> {
                match self { $( Self::$variant => json::prepare::<$operation>(request, wire), )* }
            }

            /// Reads an answer of success and gives it back as JSON.
            ///
            /// # Errors
            /// When the body is not of the shape that the specification shows.
            #[cfg(feature = "wire")]
            pub fn parse_json(
                self,
                wire: &Wire,
                response: &HttpResponse,
            ) -> Result<String, crate::operation::Unreadable> {
                match self { $( Self::$variant => json::parse::<$operation>(wire, response), )* }
            }
        }
    };
}

operations! {
    SmsSend = sms::Send,
    MessagesSend = messages::Send,
}

impl OperationId {
    /// The operation with this name.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operation| operation.meta().id == id)
    }
}
