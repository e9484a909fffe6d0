//! Workflows, and their runs, which the control plane starts (D18).

use serde::Deserialize;
use serde_json::{Value, json};

use super::fields::refuse;
use super::passcodes::{PENDING, sid};
use super::send_passcode::Letter;
use crate::account::Account;
use crate::assumptions::{D, Marks};
use crate::bounded_log::Weigh;
use crate::ledger::Sort;
use crate::log::Event;
use crate::provider_error::{Outcome, ProviderError};
use crate::random::Id;
use crate::state::{Accepted, State};
use crate::timers::Timer;

/// One step: a channel, and the milliseconds until the next.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    channel: &'static str,
    interval: u64,
    given: Value,
}

#[derive(Debug, Clone)]
pub(crate) struct Workflow {
    pub(crate) sid: String,
    pub(crate) name: String,
    pub(crate) steps: Vec<Step>,
    pub(crate) description: String,
}

impl Workflow {
    pub(crate) fn show(&self, account: &Account) -> Value {
        json!({
            "sid": self.sid,
            "name": self.name,
            "channels": self.steps.iter().map(|step| step.given.clone()).collect::<Vec<_>>(),
            "description": self.description,
            "accountSid": account.sid(),
            "accountEmail": account.email,
            "targetAccountSid": account.sid(),
            "targetAccountEmail": account.email,
            "uri": format!("/2fa/workflows/search/{}", self.sid),
        })
    }
}

/// Reads the JSON array in a string.
pub(super) fn steps(text: &str) -> Outcome<Vec<Step>> {
    let bad = |text: &str| refuse("channels", text);
    let list: Vec<Value> = serde_json::from_str(text).map_err(|_| bad("is not a JSON array in a string"))?;
    if list.is_empty() {
        return Err(bad("holds no channel"));
    }
    list.into_iter()
        .enumerate()
        .map(|(place, given)| {
            let channel = match given.get("channel").and_then(Value::as_str) {
                Some("sms") => "sms",
                // A voice step is a passcode by call (D59).
                Some("voice") => "call",
                _ => return Err(bad(&format!("[{place}].channel is sms or voice"))),
            };
            let interval: Option<u64> = match given.get("interval") {
                Some(Value::String(text)) => text.parse().ok().filter(|seconds| *seconds <= 31_536_000),
                _ => None,
            };
            let interval = interval
                .ok_or_else(|| bad(&format!("[{place}].interval must be whole seconds in a string")))?;
            Ok(Step { channel, interval: 1_000 * interval, given })
        })
        .collect()
}

/// A run of a workflow: one passcode, sent over its channels until it is verified.
#[derive(Debug)]
pub(crate) struct Run {
    request: String,
    letter: Letter,
    steps: std::vec::IntoIter<Step>,
}

impl Weigh for Run {
    fn weight(&self) -> usize {
        let steps = self.steps.as_slice().iter().map(|step| size_of::<Step>() + step.given.weight());
        let letter = self.letter.text.capacity() + self.letter.from.capacity() + self.letter.to.capacity();
        size_of::<Self>() + self.request.capacity() + letter + steps.sum::<usize>()
    }
}

/// What starts a run.
#[derive(Debug, Deserialize)]
pub(crate) struct Start {
    service: String,
    from: String,
    to: String,
    body: String,
}

/// Starts a run; the id of its passcode.
pub(crate) fn run(state: &mut State, workflow: &str, start: Start, lifetime: u64) -> Outcome<String> {
    let steps = state.workflows.iter().find(|one| one.sid == workflow).map(|one| one.steps.clone());
    let steps = steps.ok_or_else(|| ProviderError::plain(404, "no such workflow"))?;
    if !start.body.contains("{code}") {
        return Err(ProviderError::plain(400, "`body` has no {code}"));
    }
    state.room(steps.len())?;
    let code = state.random.six_digits();
    let text = start.body.replace("{code}", &code);
    let letter = Letter {
        from: start.from,
        to: start.to,
        text,
        code,
        language: None,
        voice: None,
        marks: Marks::default().with(D(18)),
    };
    let id = state.enter_step(&letter);
    let request = sid("OTP", id);
    state.open_otp(id, &start.service, &letter, None, lifetime);
    let number = state.run_count;
    state.run_count += 1;
    let run = Run { request: request.clone(), letter, steps: steps.into_iter() };
    state.step(number, run, Some(id));
    Ok(request)
}

impl State {
    fn enter_step(&mut self, letter: &Letter) -> Id {
        self.accept(&Accepted {
            sort: Sort::Otp,
            body: 0,
            to: &letter.to,
            reference: None,
            fault: None,
            test: false,
        })
    }

    /// The next channel of a run is due.
    pub(crate) fn workflow_step(&mut self, number: u64) {
        if let Some(run) = self.runs.remove(number) {
            self.step(number, run, None);
        }
    }

    fn step(&mut self, number: u64, mut run: Run, first: Option<Id>) {
        let now = self.clock.now();
        let pending = self.otps.find(&run.request).is_some_and(|otp| otp.status_at(now).0 == PENDING);
        let (Some(step), true) = (run.steps.next(), pending) else { return };
        let id = first.unwrap_or_else(|| self.enter_step(&run.letter));
        let request = run.request.clone();
        self.deliver_otp(&request, id, step.channel, &run.letter);
        let marks = Marks::default().with(D(18));
        self.event(Event::new(now, "workflow.step").about(request.as_str()).leaning(marks));
        if run.steps.len() == 0 {
            return;
        }
        if self.runs.insert(number, run) {
            self.timers.set(now + step.interval, Timer::Workflow(number));
        } else {
            self.event(Event::new(now, "workflow.dropped").about(request).leaning(marks));
        }
    }
}
