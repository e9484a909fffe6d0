//! The macro that declares open enumerations.

/// Reads a string and converts it.
pub(crate) struct Text<F>(pub(crate) F);

impl<T, F: FnOnce(&str) -> T> serde::de::Visitor<'_> for Text<F> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        Ok((self.0)(text))
    }
}

/// Declares an open enumeration: the documented values, and `Other` for any other value, which is kept unchanged.
macro_rules! open_enum {
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $( $(#[doc = $vdoc:literal])* $variant:ident = $wire:literal ),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[doc = $vdoc])* $variant, )*
            /// An undocumented value, unchanged.
            Other(String),
        }

        impl $name {
            /// The documented values.
            pub const VALUES: &'static [&'static str] = &[$($wire),*];

            /// The value on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $( Self::$variant => $wire, )*
                    Self::Other(value) => value,
                }
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $( Self::$variant => stringify!($variant), )*
                    Self::Other(_) => "Other(…)",
                })
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl From<&str> for $name {
            fn from(value: &str) -> Self {
                match value {
                    $( $wire => Self::$variant, )*
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::model::open_enum::Text(|text: &str| Self::from(text)))
            }
        }

        impl $crate::json::fill_model::FieldMut for $name {
            fn fill(&mut self, entry: $crate::json::Entry<'_>) {
                enum At { $($variant),* }
                let (index, other) = $crate::json::fill_model::choice(entry, Self::VALUES);
                $( if index == Some(At::$variant as usize) {
                    *self = Self::$variant;
                    return;
                } )*
                *self = Self::Other(other);
            }

            fn is_set(&self) -> bool {
                !matches!(self, Self::Other(value) if value.is_empty())
            }
        }

        impl $crate::json::json_size::JsonSize for $name {
            fn json_size(&self) -> usize {
                $crate::json::json_size::JsonSize::json_size(self.as_str())
            }
        }

        impl $crate::schema::HasKind for $name {
            const KIND: $crate::schema::Kind = $crate::schema::Kind::Enum(Self::VALUES);
        }
    };
}

pub(crate) use open_enum;
