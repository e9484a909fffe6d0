//! The recipients of a request.

use crate::problem::Pointer;

/// What the specification says about a recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecipientKind {
    /// A phone number.
    Number,
    /// A phone number, or the identifier of a person of a chat channel; the request is also sent as an SMS.
    NumberOrIdentifier,
    /// The identifier of a person of a chat channel, unless it begins with `+` or `00`.
    Identifier,
}

/// A text with one recipient, or with several that are separated by commas.
pub struct RecipientText<'a> {
    /// The position of the text.
    pub at: Pointer<'a>,
    /// The text.
    pub text: &'a mut String,
    /// What the recipients are.
    pub kind: RecipientKind,
    /// Whether there are several recipients.
    pub is_list: bool,
}

/// Receives the recipients of a request.
pub(crate) type VisitRecipient<'a> = dyn FnMut(RecipientText<'_>) + 'a;
