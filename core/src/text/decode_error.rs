//! The error of decoding user data.

/// Why parts cannot be decoded, and where. The message never quotes the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", position(*part, *octet))]
#[non_exhaustive]
pub struct DecodeError {
    /// The index of the part in the input; `None` if a part is missing.
    pub part: Option<usize>,
    /// The octet in the part, from the start of the header on; `None` if the error is in its length or its data coding scheme.
    pub octet: Option<usize>,
    /// What was expected, then what was found.
    pub message: String,
}

fn position(part: Option<usize>, octet: Option<usize>) -> String {
    match (part, octet) {
        (Some(part), Some(octet)) => format!("parts[{part}], octet {octet}: "),
        (Some(part), None) => format!("parts[{part}]: "),
        (None, _) => String::new(),
    }
}

impl DecodeError {
    /// The stable code of the error, the same in every language.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "text.user_data"
    }

    pub(super) fn at(part: usize, octet: usize, message: impl Into<String>) -> Self {
        Self { part: Some(part), octet: Some(octet), message: message.into() }
    }

    pub(super) fn in_part(part: usize, message: impl Into<String>) -> Self {
        Self { part: Some(part), octet: None, message: message.into() }
    }

    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self { part: None, octet: None, message: message.into() }
    }
}
