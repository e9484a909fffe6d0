//! cpaas core.

pub mod text;
pub mod markup;
