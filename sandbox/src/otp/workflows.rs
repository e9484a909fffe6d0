//! The calls that manage workflows (A9).

use axum::response::Response;
use serde_json::{Value, json};

use super::fields::{optional, refuse, required, text};
use super::paging::{Page, Parameters, wrapper};
use super::workflow::{Workflow, steps};
use crate::assumptions::D;
use crate::body::ok;
use crate::call::Call;
use crate::provider_error::{Outcome, ProviderError};

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Create,
    Update,
    Delete,
    List,
    Get,
}

pub(crate) fn handle(call: &mut Call<'_>, order: Order) -> Outcome<Response> {
    match order {
        Order::Create => create(call),
        Order::Update => update(call),
        Order::Delete => delete(call),
        Order::List => list(call),
        Order::Get => get(call),
    }
}

fn wrap(data: &Value) -> Response {
    ok(&json!({"data": data, "code": 200, "message": "OK"}))
}

fn unknown() -> ProviderError {
    ProviderError::plain(499, "Invalid Workflow Id")
}

fn create(call: &mut Call<'_>) -> Outcome<Response> {
    let object = call.object(&["name", "channels", "description"], 400)?;
    let name = required(&object, "name")?;
    let steps = steps(required(&object, "channels")?)?;
    let description = text(&object, "description")?.unwrap_or_default();
    let mut state = call.account.state();
    if state.workflows.iter().any(|workflow| workflow.name == name) {
        return Err(ProviderError::plain(495, "Workflow with that name already exists"));
    }
    let workflow = Workflow {
        sid: state.random.sid("WF"),
        name: name.to_owned(),
        steps,
        description: description.to_owned(),
    };
    let shown = workflow.show(&call.account);
    state.workflows.push(workflow);
    Ok(wrap(&shown))
}

/// Channels are appended, the description is replaced.
fn update(call: &mut Call<'_>) -> Outcome<Response> {
    let object = call.object(&["channels", "description"], 400)?;
    let added = optional(&object, "channels")?.map(steps).transpose()?;
    let description = text(&object, "description")?;
    if added.is_none() && description.is_none() {
        return Err(refuse("channels", "or description is required"));
    }
    if added.is_none() || description.is_none() {
        call.rely(D(17))?;
    }
    let mut state = call.account.state();
    let sid = call.route.param("sid");
    let workflow = state.workflows.iter_mut().find(|one| one.sid == sid).ok_or_else(unknown)?;
    workflow.steps.extend(added.into_iter().flatten());
    if let Some(description) = description {
        description.clone_into(&mut workflow.description);
    }
    Ok(wrap(&workflow.show(&call.account)))
}

fn delete(call: &mut Call<'_>) -> Outcome<Response> {
    let mut state = call.account.state();
    let sid = call.route.param("sid");
    let place = state.workflows.iter().position(|one| one.sid == sid).ok_or_else(unknown)?;
    Ok(wrap(&state.workflows.remove(place).show(&call.account)))
}

fn get(call: &mut Call<'_>) -> Outcome<Response> {
    let state = call.account.state();
    let sid = call.route.param("sid");
    let workflow =
        state.workflows.iter().find(|one| one.sid == sid).ok_or_else(|| unknown().leaning(D(3)))?;
    Ok(wrap(&workflow.show(&call.account)))
}

fn list(call: &mut Call<'_>) -> Outcome<Response> {
    let parameters = Parameters::of(call, &["pageSize", "page", "accountSid"])?;
    let page = Page::of(call, &parameters)?;
    let account = parameters.account(call)?;
    call.note(D(21));
    let state = account.state();
    let list = &state.workflows;
    let skip = usize::try_from(page.start()).unwrap_or(usize::MAX);
    let take = usize::try_from(page.size).unwrap_or(usize::MAX);
    let shown = list.iter().skip(skip).take(take).map(|workflow| workflow.show(&account)).collect();
    Ok(ok(&wrapper(page, "/2fa/workflows/search", account.sid(), list.len() as u64, shown)))
}
