//! Calls step by step: JavaScript sends the requests and waits.
