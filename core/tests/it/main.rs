//! The integration tests of the crate, in one program; `linear_time` is a second one, which also runs with the features of the browser.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout
)]

mod arrays_in_strings;
mod autofill_vectors;
mod call_by_hand;
mod call_exploration;
mod call_steps;
mod callback_fuzz;
mod callback_json;
mod callback_payloads;
mod callback_receiver;
mod callback_signing;
mod callback_stores;
mod callback_token;
mod callback_vectors;
mod config_values;
mod config_variables;
mod debug_of_models;
mod debug_of_types;
mod decode_responses;
mod fallback_text;
mod guard_simulation;
mod limited_reports;
mod markup_linear;
mod markup_properties;
mod markup_vectors;
mod names;
#[cfg(feature = "phone")]
mod number_examples;
mod number_vectors;
mod operation_vectors;
mod optional_setters;
mod passcode_types;
mod price_vectors;
mod problem_details;
mod recipient_vectors;
mod stored_record;
mod support;
mod text_android;
mod text_exhaustive;
mod text_json;
mod text_national;
mod text_properties;
mod text_senders;
mod text_user_data;
mod text_vectors;
mod typed_calls;
mod validation_properties;
