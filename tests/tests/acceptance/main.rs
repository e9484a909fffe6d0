//! Tests the rows of tests/acceptance.md: the name `acc_NNN_…` contains the row. Requests are written by hand and sent over HTTP to
//! a sandbox in this process, or to the binary in `CPAAS_SANDBOX_BIN`. Timers run on virtual clocks, so tests do not wait for them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    missing_docs,
    unreachable_pub
)]

mod auth;
mod bulk_messages;
mod business_chat;
mod chat_requests;
mod chat_sender;
mod connections;
mod constant_receiver;
mod control_plane;
mod failover;
mod faults;
mod harness;
mod host_and_origin;
mod inbox_filters;
mod inbox_page;
mod limits;
mod lookup;
mod memory_limits;
mod message_harness;
mod message_states;
mod messenger_b;
mod messenger_b_webhook;
mod messenger_c;
mod messenger_c_webhook;
mod passcode_checks;
mod passcode_records;
mod passcodes;
mod reports;
mod request_mutations;
mod scripted_receiver;
mod sessions;
mod sms;
mod strict;
mod validation_agreement;
mod workflows;
