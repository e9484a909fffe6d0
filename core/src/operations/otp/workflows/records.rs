use crate::macros::{model, open_enum};
use crate::values::{Listed, NumericText};

open_enum! {
    /// How a step of a workflow sends the code (A9).
    pub enum StepChannel {
        /// By SMS.
        Sms = "sms",
        /// By a call.
        Voice = "voice",
    }
}

model! {
    /// One step of a workflow (A9). The unit of `interval` is not shown.
    pub struct Step {
        required {
            /// How it sends the code.
            channel: StepChannel = "channel",
            /// How long until the next step.
            interval: NumericText = "interval",
        }
    }
}

model! {
    /// A workflow (A9).
    pub struct Workflow {
        expected {
            /// The id; prefix `WF`.
            sid: String = "sid",
            /// The name, unique in the account.
            name: String = "name",
        }
        optional {
            /// The steps, in order; on the wire of a request a string that holds a JSON array.
            channels: Listed<Step> = "channels",
            /// What it is for.
            description: String = "description",
            /// The account; prefix `AC`.
            account_sid: String = "accountSid",
            /// The e-mail address of the account's contact.
            account_email: String = "accountEmail",
            /// The account that the workflow is for.
            target_account_sid: String = "targetAccountSid",
            /// The e-mail address of that account's contact.
            target_account_email: String = "targetAccountEmail",
            /// `/2fa/workflows/search/<sid>`
            uri: String = "uri",
        }
    }
}

model! {
    /// The answer about one workflow (A9).
    pub struct WorkflowResponse {
        expected {
            /// The workflow.
            data: Workflow = "data",
            /// 200 on success.
            code: i64 = "code",
            /// `OK`
            message: String = "message",
        }
    }
}

impl WorkflowResponse {
    /// The id of the record, where the response has one.
    #[must_use]
    pub fn sid(&self) -> Option<&str> {
        self.data.as_ref()?.sid.as_deref()
    }
}

model! {
    /// The answer of a list of workflows (A9).
    pub struct WorkflowList {
        decides {
            /// The page.
            data: WorkflowPage = "data",
        }
        expected {
            /// 200 on success.
            code: i64 = "code",
            /// `OK`
            message: String = "message",
        }
    }
}

model! {
    /// One page of workflows (A9).
    pub struct WorkflowPage {
        decides {
            /// The workflows.
            result: Vec<Workflow> = "result",
        }
        optional {
            /// How many records a page holds.
            page_size: i64 = "pageSize",
            /// How many records there are.
            total: i64 = "total",
            /// Which page this is.
            page: i64 = "page",
            /// How many pages there are.
            num_pages: i64 = "numPages",
            /// The first record on this page.
            start: i64 = "start",
            /// The last record on this page.
            end: i64 = "end",
            /// The first page.
            first_page_uri: String = "firstPageUri",
            /// This page.
            uri: String = "uri",
        }
    }
}
