//! The C ABI of cpaas: JSON text in and out, plain structs for the calls that only count.
//!
//! Conventions of every function: texts are UTF-8 with a length in bytes and need no terminator;
//! `out` is written only, never read or freed, and `{NULL, 0}` when there is nothing to say; a NULL
//! that is not allowed, a wrong length, bad UTF-8, a freed handle and a panic are a status, never a
//! crash. Every function may be called from any thread. The header has them in the order of the modules
//! below.

mod status;
mod text;

mod info;

#[cfg(feature = "http")]
mod client;

#[cfg(feature = "http")]
mod options;

#[cfg(feature = "http")]
mod call;

#[cfg(feature = "http")]
mod prepare;

mod validate;

mod segments;

mod markup;

#[cfg(feature = "http")]
mod callback;

#[cfg(feature = "http")]
mod log;

mod boundary;
#[cfg(feature = "http")]
mod called;
#[cfg(feature = "http")]
mod flight;
#[cfg(feature = "http")]
mod fork;
#[cfg(feature = "http")]
mod open;
#[cfg(feature = "http")]
mod runtime;

pub use status::cpaas_status;
pub use text::cpaas_text;
