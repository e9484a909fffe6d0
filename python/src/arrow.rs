//! Functions of Arrow columns and batches, for data frames.
//!
//! Arrays pass through the PyCapsule interface without a copy. The functions are those of single texts and requests.

mod batch_functions;
mod campaign_outcomes;
mod campaign_rows;
mod cell;
mod chunked_array;
mod foreign_array;
mod input;
mod members;
mod pieces;
mod string_column;
mod text_functions;

pub(crate) use batch_functions::{arrow_render, arrow_requests, arrow_validate};
pub(crate) use campaign_outcomes::ArrowOutcomes;
pub(crate) use campaign_rows::PyArrowRows;
pub(crate) use chunked_array::ArrowArray;
pub(crate) use text_functions::{arrow_check_numbers, arrow_estimate, arrow_parse_markup, arrow_segments};
