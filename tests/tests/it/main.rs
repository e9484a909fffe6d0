//! End-to-end tests, in one program. `acceptance` and `transport` run again with other features or another sandbox, and `secrets` installs a global
//! logger: these are programs of their own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout
)]

mod acceptance_coverage;
mod architecture;
mod call_ids;
mod call_limits;
mod call_log;
mod callback_axum;
mod callback_axum_leases;
mod callback_axum_soak;
mod callback_axum_tokens;
mod callback_doc_program;
mod callback_from_sandbox;
mod callback_lease_model;
mod callback_leases;
mod cases_markup;
mod cases_problems;
mod cases_segments;
mod client;
mod client_reconfigured;
mod closed_idle_connections;
mod contradictory_responses;
mod credentials;
mod deprecations;
mod doc_counts;
mod doc_events;
mod doc_guard_settings;
mod doc_outcomes;
mod doc_references;
mod echoed_secrets;
mod environment_names;
mod environment_settings;
mod features;
mod headers_and_hooks;
mod inbox_messages;
mod malformed_responses;
mod mismatched_responses;
mod misspelled_names;
mod mistakes;
mod openapi;
mod openapi_callbacks;
mod operation_table;
mod operations_declared_once;
mod outcomes;
mod panicking_hooks;
mod passcodes_without_code;
mod planted_members;
mod printable_output;
mod problem_fixes;
mod provider_codes;
mod raw_responses;
mod records_pages_and_retries;
mod sandbox_faults;
mod sandbox_files;
mod schema_limits;
mod second_responses;
mod send_checks;
mod sends_under_faults;
mod store_failures;
mod stored_records;
mod truncation_at_every_byte;
mod typed_verification;
mod web_addresses;
