//! Workflows: ordered plans that deliver a passcode over several channels (A9).

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
pub use records::{Step, StepChannel, Workflow, WorkflowList, WorkflowPage, WorkflowResponse};
pub use update::Update;
