//! Family B: SMS.

mod bulk_sms;
mod convert;
mod country_usage;
mod delivery_report;
mod single_sms;
pub(crate) mod xml;

pub(crate) use bulk_sms::send as send_bulk;
pub(crate) use convert::convert;
pub(crate) use country_usage::{Countries, by_country};
pub(crate) use single_sms::send;

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
