//! The acceptance table of the sandbox, row by row: `acc_NNN_…`. Requests are written by hand and sent over HTTP to
//! a sandbox in this process, or to the binary that `CPAAS_SANDBOX_BIN` names. Virtual clocks; nobody sleeps.
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
mod bulk;
mod business_chat;
mod chat;
mod connections;
mod control_plane;
mod failover;
mod faults;
mod harness;
mod host_and_origin;
mod inbox_page;
mod limits;
mod lookup;
mod memory;
mod message_harness;
mod message_states;
mod messenger_b;
mod messenger_c;
mod mutations;
mod otp;
mod receiver;
mod reports;
mod request;
mod search;
mod sessions;
mod sms;
mod strict;
mod target;
mod validation_agreement;
mod verify;
mod webhooks_b;
mod webhooks_c;
mod workflows;
