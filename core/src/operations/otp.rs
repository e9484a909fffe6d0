//! Family A: one-time passcodes by SMS and voice, their records, usage, limits and workflows.

mod cancel;
mod check;
mod get;
pub mod limits;
mod records;
mod search;
mod send;
mod usage;
mod usage_daily;
mod verify;
pub mod workflows;

pub use cancel::Cancel;
pub use get::Get;
pub use records::{
    CheckStatus, EventStatus, OtpChannel, OtpCheck, OtpEvent, OtpRecord, OtpRecords, OtpResponse, OtpStatus,
    UsageRecord, UsageRecords,
};
pub use search::Search;
pub use send::Send;
pub use usage::Usage;
pub use usage_daily::UsageDaily;
pub use verify::Verify;
