//! Rules that several models share; each model's own stand beside it in [`crate::channel`].
//!
//! Characters are code points wherever a limit of the specification says "characters".

pub(crate) mod address;
pub(crate) mod choice;
pub(crate) mod dates;
pub(crate) mod envelope;
pub(crate) mod failover;
pub(crate) mod file_name;
pub(crate) mod length;
pub(crate) mod markup;
pub(crate) mod members;
mod nearest;
pub(crate) mod repeats;
pub(crate) mod rich;
pub(crate) mod scan;
pub(crate) mod segment;
pub(crate) mod sms;
pub(crate) mod url;
pub(crate) mod uuid;
pub(crate) mod webhook;

pub(crate) use nearest::nearest;
