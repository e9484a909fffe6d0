//! What builds without the feature `wire` (the browser's module) have instead of `serde_json`, beside the
//! reader of `cpaas-scan`: a value and a writer, a quarter of its size. Tests hold them to `serde_json`.

mod number;
mod numeral;
mod texts;
mod value;
mod writer;

pub use number::Number;
pub(crate) use numeral::number;
pub use texts::Texts;
pub use value::{Map, Value};
pub(crate) use value::{object, value};
pub(crate) use writer::to_string;

#[cfg(test)]
mod tests;
