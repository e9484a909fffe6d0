//! One-time passcodes, their usage, limits and workflows.

mod limits;
mod paging;
mod passcode_usage;
mod search_passcodes;
mod send_passcode;
mod verify_passcode;
mod workflows;

pub(crate) use workflows::{Start, run};

use cpaas::otp;

use crate::handlers::Handler::Now;
use crate::handlers::handles;
use limits::{LimitRequest, handle as limit};
use passcode_usage::{daily, records};
use search_passcodes::{get, search};
use send_passcode::send;
use verify_passcode::{cancel, verify};
use workflows::{WorkflowRequest, handle as workflow};

handles! {
    otp::SendPasscode => Now(send),
    otp::VerifyPasscode => Now(verify),
    otp::CancelPasscode => Now(cancel),
    otp::SearchPasscodes => Now(search),
    otp::GetPasscode => Now(get),
    otp::GetUsage => Now(records),
    otp::GetDailyUsage => Now(daily),
    otp::limits::CreateLimit => Now(|call| limit(call, LimitRequest::Create)),
    otp::limits::UpdateLimit => Now(|call| limit(call, LimitRequest::Update)),
    otp::limits::DeleteLimit => Now(|call| limit(call, LimitRequest::Delete)),
    otp::limits::ListLimits => Now(|call| limit(call, LimitRequest::List)),
    otp::limits::GetLimit => Now(|call| limit(call, LimitRequest::Get)),
    otp::workflows::CreateWorkflow => Now(|call| workflow(call, WorkflowRequest::Create)),
    otp::workflows::UpdateWorkflow => Now(|call| workflow(call, WorkflowRequest::Update)),
    otp::workflows::DeleteWorkflow => Now(|call| workflow(call, WorkflowRequest::Delete)),
    otp::workflows::ListWorkflows => Now(|call| workflow(call, WorkflowRequest::List)),
    otp::workflows::GetWorkflow => Now(|call| workflow(call, WorkflowRequest::Get)),
}
