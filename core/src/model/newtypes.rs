//! Strings with types of their own, because no rule of validation finds two of them in each other's place.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};

use crate::json::type_names;
use crate::schema::{HasKind, Kind};

/// Declares such a type. It keeps its text unchanged, is a string in JSON, and has no conversion from a string except `new` and
/// `FromStr`.
macro_rules! newtype {
    ($(#[doc = $doc:literal])* pub struct $name:ident;) => {
        $(#[doc = $doc])*
        #[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(pub(crate) String);

        impl $name {
            /// Creates a value from its text, which is neither checked nor changed.
            #[must_use]
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        /// Never fails: any text is accepted.
        impl FromStr for $name {
            type Err = Infallible;

            fn from_str(text: &str) -> Result<Self, Infallible> {
                Ok(Self::new(text))
            }
        }

        /// The error for another type does not quote the value.
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                text(deserializer).map(Self)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        /// Clones the value, so that a request accepts a reference to it.
        impl From<&$name> for $name {
            fn from(value: &$name) -> Self {
                value.clone()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl HasKind for $name {
            const KIND: Kind = Kind::String;
        }
    };
}

/// Reads a string. An error of a derived reader quotes numbers, such as a passcode without quotation marks.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    // `deserialize_string` of `serde_json` quotes a number before the visitor gets it. Other formats cannot be read without a type.
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(Text)
    } else {
        deserializer.deserialize_string(Text)
    }
}

struct Text;

/// Refuses a type by its name in messages of serde.
macro_rules! refuse {
    ($($method:ident: $type:ty => $name:literal;)*) => {
        $( fn $method<E: serde::de::Error>(self, _: $type) -> Result<String, E> {
            Err(E::invalid_type(Unexpected::Other($name), &self))
        } )*
    };
}

impl Visitor<'_> for Text {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(type_names::STRING)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<String, E> {
        Ok(text)
    }

    refuse! {
        visit_bool: bool => "boolean";
        visit_i64: i64 => "integer";
        visit_i128: i128 => "integer";
        visit_u64: u64 => "integer";
        visit_u128: u128 => "integer";
        visit_f64: f64 => "floating point";
    }
}

newtype! {
    /// The id of a passcode, as `otp.send` returns it; prefix `OTP`.
    ///
    /// A string is not converted to it, so that a service, an id and a code cannot be exchanged: a literal or a stored id is
    /// `RequestId::new("OTP…")`. Serializes as a string.
    ///
    /// ```
    /// use cpaas::otp::{Code, RequestId, VerifyPasscode};
    ///
    /// # #[derive(serde::Deserialize)] struct Form { id: RequestId, code: Code }
    /// // A web form with the members `id` and `code`.
    /// let form: Form = serde_json::from_str(r#"{"id":"OTP1","code":"000000"}"#)?;
    /// let request = VerifyPasscode::new("login", form.id, form.code);
    /// assert_eq!(request.request_id, "OTP1");
    /// assert!(!format!("{request:?}").contains("000000"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct RequestId;
}

newtype! {
    /// A passcode that a person entered. It is sent as it is: trim what a person typed.
    ///
    /// A string is not converted to it: `Code::new("…")`. `Debug` never shows the code. `Display` writes it, for a message or a form:
    /// do not log it. Serializes as a string.
    ///
    /// Each exchange of two arguments is an error of the compiler:
    ///
    /// ```compile_fail,E0277
    /// # use cpaas::otp::{Code, RequestId, VerifyPasscode};
    /// let _ = VerifyPasscode::new("OTP1", "000000", "login");
    /// ```
    /// ```compile_fail,E0277
    /// # use cpaas::otp::{Code, RequestId, VerifyPasscode};
    /// let _ = VerifyPasscode::new("login", Code::new("000000"), RequestId::new("OTP1"));
    /// ```
    /// ```compile_fail,E0277
    /// # use cpaas::otp::{Code, RequestId, VerifyPasscode};
    /// let _ = VerifyPasscode::new(Code::new("000000").as_str(), RequestId::new("OTP1"), "login");
    /// ```
    pub struct Code;
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RequestId").field(&self.0).finish()
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}
