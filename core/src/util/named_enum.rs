//! Enums whose values have names, the same in every language.

/// Declares such an enum: each value once, with its name. `Display`, `FromStr` and serde use the names. The value after `_ =>`
/// has a name too, but is not listed and not read.
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        pub enum $type:ident {
            $( $(#[$doc:meta])* $value:ident = $name:literal, )*
            $(_ => $(#[$other_doc:meta])* $other:ident = $other_name:literal,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $( $(#[$doc])* $value, )*
            $( $(#[$other_doc])* $other, )?
        }

        impl $type {
            /// All values.
            pub const ALL: &'static [Self] = &[$( Self::$value ),*];

            /// The names of all values, in the same order.
            pub const NAMES: &'static [&'static str] = &[$( $name ),*];

            /// The name, the same in every language.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $( Self::$value => $name, )*
                    $( Self::$other => $other_name, )?
                }
            }

            /// The value with this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $( $name => Some(Self::$value), )*
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::value::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                Self::from_name(name).ok_or($crate::value::UnknownName { names: Self::NAMES })
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        // Not derived, because the error would quote the text.
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::value::Named(std::str::FromStr::from_str))
            }
        }
    };
}

pub(crate) use named_enum;
