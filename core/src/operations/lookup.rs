//! Family C: network, porting, roaming and reachability of numbers.

mod check;
mod numbers;
mod numbers_by_query;
mod records;

pub use numbers::Numbers;
pub use numbers_by_query::NumbersByQuery;
pub use records::{LookupResult, Network};
