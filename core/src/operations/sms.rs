//! Family B: SMS, bulk SMS, usage by country and conversion tracking.

mod check;
mod convert;
mod send;
mod send_bulk;
mod usage_by_country;

pub use super::ElementOutcome;
pub use convert::{Convert, Converted};
pub use send::{Send, Sent};
pub use send_bulk::{BulkSent, BulkSms, SendBulk};
pub use usage_by_country::{CountryUsage, CountryUsages, UsageByCountry};
