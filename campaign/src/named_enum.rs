//! The macro that declares enumerations whose values have names.

/// Declares an enumeration whose values have names: each value once, with its name. The journal, exports and other languages use the names.
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

            /// The value with this name.
            #[must_use]
            #[allow(dead_code)] // Not every enumeration is read.
            $visibility fn from_name(name: &str) -> Option<Self> {
                match name {
                    $( $name => Some(Self::$value), )*
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use named_enum;
