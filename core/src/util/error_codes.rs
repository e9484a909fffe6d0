//! The macro that declares the stable codes of an error.

/// Declares the codes of an error once: the function that returns them, and the list `CODES`, with its visibility.
#[doc(hidden)]
#[macro_export]
macro_rules! error_codes {
    ($visibility:vis $type:ident, $function:ident, $self:ident: $receiver:ty, $doc:literal, { $($error:pat => $code:literal,)* }) => {
        impl $type {
            /// All codes.
            #[allow(dead_code, reason = "read by `bindings`, which is not in every build")]
            $visibility const CODES: &'static [&'static str] = &[$($code),*];

            #[doc = $doc]
            #[must_use]
            pub const fn $function($self: $receiver) -> &'static str {
                match $self {
                    $($error => $code,)*
                }
            }
        }
    };
}

pub(crate) use crate::error_codes;
