//! The macro that declares enumerations whose values have names.

/// Declares an enumeration, the names of its values, and the list of the names.
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $type:ident {
            $( $(#[$doc:meta])* $value:ident = $name:literal, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility enum $type {
            $( $(#[$doc])* $value, )*
        }

        impl $type {
            /// The names of all values.
            $visibility const NAMES: &'static [&'static str] = &[$( $name ),*];

            /// The name.
            #[must_use]
            $visibility const fn as_str(self) -> &'static str {
                match self {
                    $( Self::$value => $name, )*
                }
            }
        }
    };
}

pub(crate) use named_enum;
