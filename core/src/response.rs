//! Reads responses, in this order:
//!
//! 1. classify: `client/verdict_members.rs` reads the members that decide, and `client/classify.rs` derives the outcome from them;
//! 2. parse: `Operation::parse` reads the value, with `response_reader.rs`, and `xml.rs` for `/sms.xml`;
//! 3. confirm: `confirm_response.rs` compares the value with the request, with `Operation::confirm`.

pub(crate) mod confirm_response;
pub(crate) mod response_reader;
pub(crate) mod xml;
