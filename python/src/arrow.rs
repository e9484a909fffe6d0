//! Functions for the Arrow columns and batches of data frames.
//!
//! Arrays pass through the PyCapsule interface without a copy. The result for a row is that of the function for a single text
//! or request.

mod arrays;
mod batch;
mod batch_functions;
#[cfg(feature = "campaign")]
mod campaign_outcomes;
mod campaign_rows;
mod chunked_array;
mod compaction;
mod fields;
mod import_array;
mod input;
mod json_cell;
mod name_column;
mod parallel;
mod pickles;
mod python_values;
mod report_summary;
mod request_columns;
mod shown_rows;
mod string_column;
mod suggestions;
mod table;
mod table_columns;
mod text_functions;

pub(crate) use batch_functions::{arrow_render, arrow_requests, arrow_validate};
#[cfg(feature = "campaign")]
pub(crate) use campaign_outcomes::ArrowOutcomes;
pub(crate) use campaign_rows::PyArrowRows;
pub(crate) use chunked_array::{ArrowArray, arrow_prefixed};
pub(crate) use report_summary::arrow_summary;
pub(crate) use table::ArrowTable;
pub(crate) use table_columns::ArrowTableColumns;
pub(crate) use text_functions::{
    arrow_check_numbers, arrow_estimate, arrow_normalize_numbers, arrow_parse_markup, arrow_segments,
};
