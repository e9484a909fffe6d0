//! The C ABI of cpaas: JSON strings in and out, and plain structs for the functions that count.
//!
//! `cbindgen.toml` has the conventions of every function, which are the head of `cpaas.h`.
//!
//! The header lists the functions in the order of the modules below.

mod status;

mod output_text;

mod version;

mod json_functions;

#[cfg(feature = "call")]
mod client;

#[cfg(feature = "call")]
mod client_stores;

#[cfg(feature = "http")]
mod client_log;

#[cfg(feature = "call")]
mod call_options;

#[cfg(feature = "http")]
mod call;

#[cfg(feature = "http")]
mod typed_call;

#[cfg(feature = "http")]
mod async_call;

#[cfg(feature = "http")]
mod typed_start;

#[cfg(feature = "http")]
mod poll;

#[cfg(feature = "http")]
mod limits;

#[cfg(feature = "call")]
mod prepare;

#[cfg(feature = "call")]
mod exchange;

mod operations;

mod languages;

mod segments;

mod text_functions;

mod markup;

#[cfg(feature = "http")]
mod callback;

#[cfg(feature = "http")]
mod receiver;

#[cfg(feature = "call")]
mod process;

#[cfg(feature = "http")]
mod async_calls;
mod boundary;
#[cfg(feature = "call")]
mod call_target;

#[cfg(feature = "call")]
mod client_table;
#[cfg(feature = "call")]
mod exchange_call;
#[cfg(feature = "call")]
mod exchange_table;
#[cfg(feature = "call")]
mod handles;
#[cfg(feature = "call")]
mod program_store;
#[cfg(feature = "http")]
mod receiver_table;
#[cfg(feature = "http")]
mod result_queue;
#[cfg(feature = "http")]
mod socket_pair;

pub use output_text::cpaas_text;
pub use status::cpaas_status;
