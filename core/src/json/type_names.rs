//! The names of JSON types in messages, with their article.

pub(crate) const NULL: &str = "null";
pub(crate) const BOOLEAN: &str = "a boolean";
pub(crate) const INTEGER: &str = "an integer";
pub(crate) const NUMBER: &str = "a number";
pub(crate) const FRACTION: &str = "a number with a fraction";
pub(crate) const STRING: &str = "a string";
pub(crate) const ARRAY: &str = "an array";
pub(crate) const OBJECT: &str = "an object";
