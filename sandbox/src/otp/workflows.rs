//! Workflows: the calls that manage them (A9), and their runs, which the control API starts (D18).

use axum::response::Response;
use cpaas::otp::workflows;
use serde::Deserialize;
use serde_json::Value;

use super::paging::{Page, account, page_body, wrap};
use crate::account::Account;
use crate::account_state::passcodes::{PENDING, PasscodeMessage, sid};
use crate::account_state::workflow_runs::{Run, Step, Workflow};
use crate::account_state::{Accepted, State};
use crate::assumptions::{AssumptionId, AssumptionSet};
use crate::call::Call;
use crate::http_bodies::ok;
use crate::ledger::SendOperation;
use crate::log_entries::Event;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::random::Id;
use crate::timers::Timer;

/// The passcode that a run sends.
#[derive(Debug, Deserialize)]
pub(crate) struct Start {
    service: String,
    from: String,
    to: String,
    body: String,
}

/// Starts a run and returns the id of its passcode.
pub(crate) fn run(state: &mut State, workflow: &str, start: Start, lifetime: u64) -> ProviderResult<String> {
    let steps = state.workflows.iter().find(|one| one.sid == workflow).map(|one| one.steps.clone());
    let steps = steps.ok_or_else(|| ProviderError::plain(404, "no such workflow"))?;
    if !start.body.contains("{code}") {
        return Err(ProviderError::plain(400, "`body` must contain {code}"));
    }
    state.check_capacity(steps.len())?;
    let code = state.random.six_digits();
    let text = start.body.replace("{code}", &code);
    let passcode = PasscodeMessage {
        from: start.from,
        to: start.to,
        text,
        code,
        language: None,
        voice: None,
        traceparent: None,
        assumptions: AssumptionSet::default().with(AssumptionId(18)),
    };
    let id = state.accept_step(&passcode);
    let request = sid("OTP", id);
    state.open_otp(id, &start.service, &passcode, None, lifetime);
    let number = state.run_count;
    state.run_count += 1;
    let run = Run { request: request.clone(), passcode, steps: steps.into_iter() };
    state.step(number, run, Some(id));
    Ok(request)
}

impl State {
    fn accept_step(&mut self, passcode: &PasscodeMessage) -> Id {
        self.accept(&Accepted {
            operation: SendOperation::Otp,
            body: 0,
            to: &passcode.to,
            reference: None,
            fault: None,
            test: false,
        })
    }

    /// Sends over the next channel of a run.
    pub(crate) fn workflow_step(&mut self, number: u64) {
        if let Some(run) = self.runs.remove(number) {
            self.step(number, run, None);
        }
    }

    fn step(&mut self, number: u64, mut run: Run, first: Option<Id>) {
        let now = self.clock.now();
        let pending = self.otps.find(&run.request).is_some_and(|otp| otp.status_at(now).0 == PENDING);
        let (Some(step), true) = (run.steps.next(), pending) else { return };
        let id = first.unwrap_or_else(|| self.accept_step(&run.passcode));
        let request = run.request.clone();
        self.deliver_otp(&request, id, step.channel, &run.passcode);
        let assumptions = AssumptionSet::default().with(AssumptionId(18));
        self.event(Event::new(now, "workflow.step").about(request.as_str()).assuming(assumptions));
        if run.steps.len() == 0 {
            return;
        }
        if self.runs.insert(number, run) {
            self.timers.set(now.saturating_add(step.interval), Timer::Workflow(number));
        } else {
            self.event(Event::new(now, "workflow.dropped").about(request).assuming(assumptions));
        }
    }
}

/// The requested operation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WorkflowRequest {
    Create,
    Update,
    Delete,
    List,
    Get,
}

pub(crate) fn handle(call: &mut Call<'_>, request: WorkflowRequest) -> ProviderResult<Response> {
    match request {
        WorkflowRequest::Create => create(call),
        WorkflowRequest::Update => update(call),
        WorkflowRequest::Delete => delete(call),
        WorkflowRequest::List => list(call),
        WorkflowRequest::Get => get(call),
    }
}

fn show(workflow: &Workflow, account: &Account) -> Value {
    workflow.show(account.sid(), &account.email)
}

fn unknown() -> ProviderError {
    ProviderError::plain(499, "Invalid Workflow Id")
}

fn create(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: workflows::CreateWorkflow = call.request()?;
    let mut state = call.account.state();
    if state.workflows.iter().any(|workflow| workflow.name == request.name) {
        return Err(ProviderError::plain(495, "Workflow with that name already exists"));
    }
    let workflow = Workflow {
        sid: state.random.sid("WF"),
        name: request.name,
        steps: request.channels.items().iter().map(Step::of).collect(),
        description: request.description.unwrap_or_default(),
    };
    let shown = show(&workflow, &call.account);
    state.workflows.push(workflow);
    Ok(wrap(&shown))
}

/// Appends the channels and replaces the description.
fn update(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: workflows::UpdateWorkflow = call.request()?;
    if request.channels.is_none() || request.description.is_none() {
        call.assume(AssumptionId(17))?;
    }
    let mut state = call.account.state();
    let sid = call.route.param("sid");
    let workflow = state.workflows.iter_mut().find(|one| one.sid == sid).ok_or_else(unknown)?;
    workflow.steps.extend(request.channels.iter().flat_map(|channels| channels.items()).map(Step::of));
    if let Some(description) = request.description {
        workflow.description = description;
    }
    Ok(wrap(&show(workflow, &call.account)))
}

fn delete(call: &mut Call<'_>) -> ProviderResult<Response> {
    let mut state = call.account.state();
    let sid = call.route.param("sid");
    let index = state.workflows.iter().position(|one| one.sid == sid).ok_or_else(unknown)?;
    Ok(wrap(&show(&state.workflows.remove(index), &call.account)))
}

fn get(call: &mut Call<'_>) -> ProviderResult<Response> {
    let state = call.account.state();
    let sid = call.route.param("sid");
    let workflow = state
        .workflows
        .iter()
        .find(|one| one.sid == sid)
        .ok_or_else(|| unknown().assuming(AssumptionId(3)))?;
    Ok(wrap(&show(workflow, &call.account)))
}

fn list(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: workflows::ListWorkflows = call.request()?;
    let page = Page::of(call, request.page_size, request.page)?;
    let account = account(call, request.account_sid.as_deref())?;
    call.note(AssumptionId(21));
    let state = account.state();
    let list = &state.workflows;
    let skip = usize::try_from(page.start()).unwrap_or(usize::MAX);
    let take = usize::try_from(page.size).unwrap_or(usize::MAX);
    let shown = list.iter().skip(skip).take(take).map(|workflow| show(workflow, &account)).collect();
    Ok(ok(&page_body(page, "/2fa/workflows/search", account.sid(), list.len() as u64, shown)))
}
