//! What builds without the feature `wire` (the browser's module) have instead of `serde_json`: a value, a
//! reader and a writer that together are a quarter of its size. Tests hold them to `serde_json`.

mod number;
mod numeral;
mod reader;
mod text;
mod texts;
mod value;
mod writer;

pub use number::Number;
pub(crate) use reader::{Fault, read};
pub use texts::Texts;
pub(crate) use value::object;
pub use value::{Map, Value};
pub(crate) use writer::to_string;

#[cfg(test)]
mod tests;
