//! Enums whose values have names, the same in every language.

/// Declares such an enum: each value once, with its name. `Display`, `FromStr` and serde use the names.
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        pub enum $type:ident { $( $(#[$doc:meta])* $value:ident = $name:literal, )* }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $type {
            $( $(#[$doc])* #[serde(rename = $name)] $value, )*
        }

        impl $type {
            /// All values.
            pub const ALL: &'static [Self] = &[$( Self::$value ),*];

            /// The names of all values, in the same order.
            pub const NAMES: &'static [&'static str] = &[$( $name ),*];

            /// The name, the same in every language.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$value => $name, )* }
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
    };
}

pub(crate) use named_enum;
