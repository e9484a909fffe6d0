//! Workflows, which deliver a passcode over several channels in order (A9).

use super::otp_rules::{self, required};
use super::record_creation;
use super::record_list::record_list;
use crate::member_types::{Listed, NumericText};
use crate::model::{model, open_enum};
use crate::operation::{
    Family, Method, Operation, ResponseExpectation, RetrySafety, SuccessMarker, Unconfirmed,
};
use crate::problem::{Pointer, Problems, Validate, codes};
use crate::provider_codes::{UNKNOWN_WORKFLOW, WORKFLOW_EXISTS};
use crate::reconcile::{Appended, Gone, Reconcile};
use crate::request::{RequestContext, encoding};
use crate::rules::{allowed_values, unknown_members};

model! {
    /// Creates a workflow (A9). The name must be unique: the provider rejects an existing name with code 495.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::workflows::{CreateWorkflow, Step};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// // An SMS, and a call 30 seconds later.
    /// let steps = vec![Step::new("sms", 30), Step::new("voice", 60)];
    /// let created = client.call(CreateWorkflow::new("short", steps)).await?;
    /// println!("{:?}", created.sid());
    /// # assert!(created.sid().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub struct CreateWorkflow {
        required {
            /// The name, unique in the account.
            name: String = "name" where NotBlank,
            /// The steps, in order: an array, or a string that contains it as JSON. A request sends the string.
            channels: Listed<Step> = "channels" as json_string ! OTP_LIST_TYPE where MinItems(1),
        }
        optional {
            /// A description.
            description: String = "description",
        }
    }
}

impl Operation for CreateWorkflow {
    const ID: &'static str = "otp.workflows.create";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/2fa/workflows";
    const SAFETY: RetrySafety = RetrySafety::Create;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Code;
    const SECTION: &'static str = "A9";
    const STATUSES: &'static [u16] = &[409, 495];
    type Output = WorkflowResponse;

    fn confirm(
        response: &mut WorkflowResponse,
        _: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        record_creation::created(response.sid())
    }

    fn ids(response: &WorkflowResponse) -> Vec<&str> {
        response.sid().into_iter().collect()
    }

    fn reconcile(&self, context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        let list = |page| ListWorkflows { page, ..ListWorkflows::default() };
        Some(record_creation::search_by_name(self, &self.name, list, context, WORKFLOW_EXISTS))
    }
}

impl Validate for CreateWorkflow {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        required(&self.name, &codes::OTP_WORKFLOW_NAME_REQUIRED, at, "name", problems);
        if self.channels.is_empty() {
            problems.add_key(&codes::OTP_WORKFLOW_CHANNELS_REQUIRED, at, "channels");
        }
        check_steps(&self.channels, &at.key("channels"), problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Changes a workflow (A9): `channels` are appended, `description` is replaced. The provider rejects an unknown sid with code 499.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::workflows::{Step, UpdateWorkflow};
    /// # use cpaas::otp::workflows::CreateWorkflow;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let steps = vec![Step::new("sms", 30), Step::new("voice", 60)];
    /// # let sid = client.call(CreateWorkflow::new("short", steps)).await?.sid().ok_or("no sid")?.to_owned();
    /// client.call(UpdateWorkflow::new(sid).channels(vec![Step::new("voice", 60)])).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub struct UpdateWorkflow {
        required {
            /// The id; prefix `WF`.
            sid: String = "sid" in path where Shown & NotBlank,
        }
        optional {
            /// The steps, in order: an array, or a string that contains it as JSON. A request sends the string.
            channels: Listed<Step> = "channels" as json_string ! OTP_LIST_TYPE,
            /// A description.
            description: String = "description",
        }
    }
}

impl Operation for UpdateWorkflow {
    const ID: &'static str = "otp.workflows.update";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Put;
    const PATH: &'static str = "/2fa/workflows/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Append;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Code;
    const SECTION: &'static str = "A9";
    const STATUSES: &'static [u16] = &[499];
    type Output = WorkflowResponse;

    /// An update that appends channels is not idempotent; one that only sets the description is.
    fn safety(&self) -> RetrySafety {
        let appends =
            self.channels.as_ref().is_some_and(|channels| !channels.is_empty()) || !self.extra.is_empty();
        if appends { RetrySafety::Append } else { RetrySafety::Idempotent }
    }

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::record(&self.sid)
    }

    fn confirm(
        response: &mut WorkflowResponse,
        expected: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        expected.check_optional_id(response.sid())
    }

    fn reconcile(&self, context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        let get = GetWorkflow::new(self.sid.clone()).encode_request(context).ok()?;
        let mut sent = encoding::members(self);
        sent.remove("sid");
        Some(Box::new(Appended::new(get, self.sid.clone(), sent)))
    }
}

impl Validate for UpdateWorkflow {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::sid(&self.sid, "WF", at, problems);
        if self.channels.is_none() && self.description.is_none() && self.extra.is_empty() {
            problems.add(&codes::OTP_UPDATE_EMPTY, at);
        }
        if let Some(channels) = &self.channels {
            check_steps(channels, &at.key("channels"), problems);
        }
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Deletes a workflow and returns it (A9).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::workflows::DeleteWorkflow;
    /// # use cpaas::otp::workflows::{CreateWorkflow, Step};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let steps = vec![Step::new("sms", 30), Step::new("voice", 60)];
    /// # let sid = client.call(CreateWorkflow::new("short", steps)).await?.sid().ok_or("no sid")?.to_owned();
    /// client.call(DeleteWorkflow::new(sid)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub struct DeleteWorkflow {
        required {
            /// The id; prefix `WF`.
            sid: String = "sid" in path where Shown & NotBlank,
        }
    }
}

impl Operation for DeleteWorkflow {
    const ID: &'static str = "otp.workflows.delete";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Delete;
    const PATH: &'static str = "/2fa/workflows/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Code;
    const SECTION: &'static str = "A9";
    const STATUSES: &'static [u16] = &[499];
    type Output = WorkflowResponse;

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::record(&self.sid)
    }

    fn confirm(
        response: &mut WorkflowResponse,
        expected: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        expected.check_optional_id(response.sid())
    }

    fn reconcile(&self, _context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        Some(Box::new(Gone::new(UNKNOWN_WORKFLOW)))
    }
}

impl Validate for DeleteWorkflow {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::sid(&self.sid, "WF", at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

record_list! {
    /// Lists workflows, page by page (A9).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::workflows::ListWorkflows;
    /// # use cpaas::otp::workflows::{CreateWorkflow, Step};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let steps = vec![Step::new("sms", 30), Step::new("voice", 60)];
    /// # let sid = client.call(CreateWorkflow::new("short", steps)).await?.sid().ok_or("no sid")?.to_owned();
    /// let page = client.call(ListWorkflows::new().page_size(20)).await?;
    /// for workflow in &page.data.result {
    ///     println!("{:?}: {:?}", workflow.sid, workflow.name);
    /// }
    /// # assert_eq!(page.data.result.len(), 1, "{sid}");
    /// # Ok(())
    /// # }
    /// ```
    ListWorkflows {
        const ID: &'static str = "otp.workflows.list";
        const PATH: &'static str = "/2fa/workflows/search";
        const SECTION: &'static str = "A9";
    }
    /// The response to a list of workflows (A9).
    WorkflowList
    /// One page of workflows (A9).
    WorkflowPage {
        /// The workflows.
        Workflow
    }
}

model! {
    /// Reads one workflow (A9).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::workflows::GetWorkflow;
    /// # use cpaas::otp::workflows::{CreateWorkflow, Step};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let steps = vec![Step::new("sms", 30), Step::new("voice", 60)];
    /// # let sid = client.call(CreateWorkflow::new("short", steps)).await?.sid().ok_or("no sid")?.to_owned();
    /// let found = client.call(GetWorkflow::new(sid)).await?;
    /// println!("{:?}", found.data);
    /// # assert!(found.sid().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub struct GetWorkflow {
        required {
            /// The id; prefix `WF`.
            sid: String = "sid" in path where Shown & NotBlank,
        }
    }
}

impl Operation for GetWorkflow {
    const ID: &'static str = "otp.workflows.get";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/workflows/search/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Record;
    const SECTION: &'static str = "A9";
    const STATUSES: &'static [u16] = &[499];
    type Output = WorkflowResponse;

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::record(&self.sid)
    }

    fn confirm(
        response: &mut WorkflowResponse,
        expected: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        expected.check_id(response.sid())
    }
}

impl Validate for GetWorkflow {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::sid(&self.sid, "WF", at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

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
    /// One step of a workflow (A9). The unit of `interval` is not documented.
    pub struct Step {
        required {
            /// The channel of the step.
            channel: StepChannel = "channel" where Shown & Closed,
            /// The time until the next step.
            interval: NumericText = "interval" where Shown,
        }
    }
}

model! {
    /// A workflow (A9).
    pub struct Workflow {
        documented {
            /// The id; prefix `WF`.
            sid: String = "sid" where Shown,
            /// The name, unique in the account.
            name: String = "name",
        }
        optional {
            /// The steps, in order: an array, or a string that contains the array as JSON.
            channels: Listed<Step> = "channels",
            /// A description.
            description: String = "description",
            /// The account; prefix `AC`.
            account_sid: String = "accountSid",
            /// The e-mail address of the account's contact.
            account_email: String = "accountEmail",
            /// The account that uses the workflow.
            target_account_sid: String = "targetAccountSid",
            /// The e-mail address of that account's contact.
            target_account_email: String = "targetAccountEmail",
            /// `/2fa/workflows/search/<sid>`
            uri: String = "uri",
        }
    }
}

model! {
    /// The response about one workflow (A9).
    pub struct WorkflowResponse {
        documented {
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
    /// The id of the workflow, if the response contains one.
    #[must_use]
    pub fn sid(&self) -> Option<&str> {
        self.data.as_ref()?.sid.as_deref()
    }
}

/// Checks the steps of a workflow.
fn check_steps(steps: &Listed<Step>, at: &Pointer<'_>, problems: &mut Problems) {
    if steps.is_unreadable() {
        problems.add(&codes::OTP_LIST_TYPE, at);
    }
    for (index, step) in steps.items().iter().enumerate() {
        let at = &at.index(index);
        if let StepChannel::Other(value) = &step.channel {
            let is_set = required(value, &codes::OTP_WORKFLOW_CHANNEL_REQUIRED, at, "channel", problems);
            if is_set {
                let code = &codes::OTP_WORKFLOW_CHANNEL_UNKNOWN;
                allowed_values::unknown(code, value, StepChannel::VALUES, at, "channel", problems);
            }
        }
        let interval = step.interval.as_str();
        let has_interval =
            required(interval, &codes::OTP_WORKFLOW_INTERVAL_REQUIRED, at, "interval", problems);
        if has_interval && step.interval.as_i64().is_none_or(|value| value < 0) {
            problems.add_key(&codes::OTP_WORKFLOW_INTERVAL, at, "interval");
        }
        unknown_members::unknown(step, at, problems);
    }
}
