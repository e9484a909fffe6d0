//! What only the tests of the workspace need.

pub mod cases;
pub mod generate;
