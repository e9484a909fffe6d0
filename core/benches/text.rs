//! Texts a second, ours beside others.
fn main() {}
