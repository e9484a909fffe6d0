//! Limits: caps on passcodes for a number or an address (A8).

mod check;
mod create;
mod delete;
mod get;
mod list;
mod records;
mod update;

pub use create::Create;
pub use delete::Delete;
pub use get::Get;
pub use list::List;
pub use records::{Bucket, Limit, LimitList, LimitPage, LimitResponse};
pub use update::Update;
