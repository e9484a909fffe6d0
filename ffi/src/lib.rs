//! The C ABI of cpaas: JSON text in and out, plain structs for the calls that only count.
//!
//! Conventions of every function: texts are UTF-8 with a length in bytes and need no terminator;
//! `out` is written only, never read or freed, and `{NULL, 0}` when there is nothing to say; a NULL
//! that is not allowed, a wrong length, bad UTF-8, a freed handle and a panic are a status, never a
//! crash. Every function may be called from any thread.

mod boundary;
#[cfg(feature = "http")]
mod call;
#[cfg(feature = "http")]
mod callback;
#[cfg(feature = "http")]
mod client;
mod info;
mod markup;
#[cfg(feature = "http")]
mod runtime;
mod segments;
mod status;
mod text;
mod validate;

pub use status::cpaas_status;
pub use text::cpaas_text;
