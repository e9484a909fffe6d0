//! Rules that several models share; the rules of one model are beside it, in `operations` or [`crate::channel`].
//!
//! Limits that the specification states in characters count code points.

pub(crate) mod allowed_values;
pub(crate) mod basic_markdown;
pub(crate) mod file_name;
pub(crate) mod formats;
pub(crate) mod length;
pub(crate) mod markup_problems;
pub(crate) mod numbers;
pub(crate) mod sms;
pub(crate) mod unknown_members;
pub(crate) mod url;
pub(crate) mod webhook;
