//! Family B: SMS.

mod bulk;
mod convert;
mod report;
mod request;
mod single;
mod usage;
pub(crate) mod xml;

pub(crate) use bulk::send as send_bulk;
pub(crate) use convert::convert;
pub(crate) use single::send;
pub(crate) use usage::{Countries, by_country};

use crate::magic::Magic;
use crate::message::Status;

/// The status that an SMS ends in (D36).
fn ending(magic: Option<Magic>) -> Status {
    match magic {
        Some(Magic::Absent | Magic::Undelivered) => "undelivered",
        Some(Magic::Expired) => "expired",
        Some(Magic::Failed) => "failed",
        Some(Magic::Unassigned) => "rejected",
        _ => "delivered",
    }
}
