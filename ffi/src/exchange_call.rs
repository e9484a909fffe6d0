//! The call of an exchange: its current step, the time of that step, and the requests that the program received.

use std::ffi::{CString, c_char};
use std::time::{Duration, Instant};

use cpaas_core::client::{CallSteps, Step, TransportError};
use cpaas_core::error::{Error, Reason, SentState};
use cpaas_core::http::{HttpRequest, HttpResponse, Method};

use crate::boundary::{Failure, Output, panic_if_requested};
use crate::call_target::Target;
use crate::cpaas_status;

/// What the program does next.
pub(crate) enum NextStep<'a> {
    Wait(Duration),
    /// Send the request within this time.
    Send(&'a GivenRequest, Duration),
    /// The program sends a request, or waits for its response, for at most this time.
    Receive(Duration),
    End,
}

/// A call that runs step by step.
pub(crate) struct ExchangeCall {
    pub(crate) max_response_bytes: usize,
    target: Target,
    state: State,
    /// Every request that the program received, because their strings are valid until the exchange is freed.
    requests: Vec<GivenRequest>,
}

enum State {
    Running(Box<Running>),
    Ended(Output),
}

struct Running {
    steps: CallSteps<Result<String, Error>>,
    step_began: Instant,
    /// The time of the step.
    limit: Duration,
    /// Whether the program received the request of the step.
    is_given: bool,
}

impl Running {
    /// The time until the step ends.
    fn left(&self) -> Duration {
        self.limit.saturating_sub(self.step_began.elapsed())
    }

    fn is_request(&self) -> bool {
        matches!(self.steps.step(), Step::Send { .. })
    }
}

impl ExchangeCall {
    pub(crate) fn new(
        target: Target,
        steps: CallSteps<Result<String, Error>>,
        max_response_bytes: usize,
    ) -> Self {
        Self { max_response_bytes, target, state: State::begin(target, steps), requests: Vec::new() }
    }

    /// The next step. Ends a wait and a request whose time has passed.
    pub(crate) fn next_step(&mut self) -> NextStep<'_> {
        if let State::Running(running) = &self.state
            && running.left().is_zero()
        {
            // A request that the program did not receive was not sent.
            let is_sent = running.is_given || !running.is_request();
            self.report(|steps| match is_sent {
                true => steps.time_passed(),
                false => steps.fail(TransportError::new(SentState::No, Reason::Timeout)),
            });
        }
        let State::Running(running) = &mut self.state else { return NextStep::End };
        let left = running.left();
        let Step::Send { request, .. } = running.steps.step() else { return NextStep::Wait(left) };
        if running.is_given {
            return NextStep::Receive(left);
        }
        let Some(given) = GivenRequest::new(request) else {
            self.report(|steps| steps.fail(TransportError::new(SentState::No, Reason::Config)));
            return NextStep::Wait(Duration::ZERO);
        };
        running.is_given = true;
        self.requests.push(given);
        self.requests.last().map_or(NextStep::End, |given| NextStep::Send(given, left))
    }

    /// Reports what happened to the request that the program received last.
    ///
    /// # Errors
    /// No request is in progress.
    pub(crate) fn report_request(
        &mut self,
        report: impl FnOnce(&mut CallSteps<Result<String, Error>>),
    ) -> Result<(), Failure> {
        match &self.state {
            State::Running(running) if running.is_given => {
                self.report(report);
                Ok(())
            }
            _ => Err(Failure::bad_argument("exchange", "must have a request in progress (CPAAS_STEP_SEND)")),
        }
    }

    /// Cancels the call, unless it has ended. `sent` is whether the request in progress may have been sent.
    pub(crate) fn cancel(&mut self, sent: SentState) {
        match std::mem::replace(&mut self.state, State::PANICKED) {
            State::Running(running) => {
                let sent = if running.is_given { sent } else { SentState::No };
                let error = running.steps.cancel(sent).unwrap_or_else(|| self.target.cancelled());
                self.state = State::Ended(self.target.to_output(Err(error)));
            }
            ended @ State::Ended(_) => self.state = ended,
        }
    }

    /// The output of the call.
    ///
    /// # Errors
    /// The call has not ended.
    pub(crate) fn output(&self) -> Output {
        match &self.state {
            State::Running(_) => Err(Failure::bad_argument("exchange", "must have ended (CPAAS_STEP_END)")),
            State::Ended(output) => output.clone(),
        }
    }

    fn report(&mut self, report: impl FnOnce(&mut CallSteps<Result<String, Error>>)) {
        match std::mem::replace(&mut self.state, State::PANICKED) {
            State::Running(running) => {
                let mut steps = running.steps;
                panic_if_requested("exchange");
                report(&mut steps);
                self.state = State::begin(self.target, steps);
            }
            ended @ State::Ended(_) => self.state = ended,
        }
    }
}

impl Drop for ExchangeCall {
    fn drop(&mut self) {
        self.cancel(SentState::Maybe);
    }
}

impl State {
    /// The state while the call runs, which it keeps if the call panics.
    const PANICKED: Self = Self::Ended(Err(Failure::Output(cpaas_status::CPAAS_PANIC, None)));

    fn begin(target: Target, steps: CallSteps<Result<String, Error>>) -> Self {
        let limit = match steps.step() {
            Step::Send { limit, left, .. } => limit.min(left),
            Step::Wait(duration) => duration,
            _ => {
                return steps
                    .into_output()
                    .map_or(Self::PANICKED, |result| Self::Ended(target.to_output(result)));
            }
        };
        Self::Running(Box::new(Running { steps, step_began: Instant::now(), limit, is_given: false }))
    }
}

/// A request in strings of C.
pub(crate) struct GivenRequest {
    pub(crate) method: CString,
    pub(crate) url: CString,
    pub(crate) host: CString,
    pub(crate) target: CString,
    /// The lines of `header_lines`, and NULL.
    pub(crate) headers: Vec<*const c_char>,
    _header_lines: Vec<CString>,
    /// The body, with a NUL after it.
    body: Option<Vec<u8>>,
    pub(crate) needs_own_connection: bool,
}

// SAFETY: the pointers refer to the strings beside them, which do not change.
unsafe impl Send for GivenRequest {}

impl GivenRequest {
    /// `None` if a string contains NUL.
    fn new(request: &HttpRequest) -> Option<Self> {
        let (host, target) = host_and_target(&request.url);
        let header_lines: Vec<CString> = request
            .headers
            .iter()
            .map(|(name, value)| CString::new(format!("{name}: {value}")))
            .collect::<Result<_, _>>()
            .ok()?;
        let headers = header_lines.iter().map(|line| line.as_ptr()).chain([std::ptr::null()]).collect();
        let body = match (&request.body, request.method) {
            (None, Method::Get | Method::Delete) => None,
            (body, _) => {
                let mut body = body.clone().unwrap_or_default();
                body.push(0);
                Some(body)
            }
        };
        Some(Self {
            method: CString::new(request.method.as_str()).ok()?,
            url: CString::new(request.url.as_str()).ok()?,
            host: CString::new(host).ok()?,
            target: CString::new(target).ok()?,
            headers,
            _header_lines: header_lines,
            body,
            needs_own_connection: request.needs_own_connection(),
        })
    }

    /// The body and its length; NULL if the request has none.
    pub(crate) fn body(&self) -> (*const c_char, usize) {
        self.body.as_ref().map_or((std::ptr::null(), 0), |body| (body.as_ptr().cast(), body.len() - 1))
    }
}

/// The host with its port, and the path with the query, of an absolute URL.
fn host_and_target(url: &str) -> (&str, String) {
    let after = url.split_once("://").map_or(url, |(_, after)| after);
    let host = after.split(['/', '?', '#']).next().unwrap_or_default();
    let rest = after.strip_prefix(host).unwrap_or_default();
    let rest = rest.split('#').next().unwrap_or_default();
    let slash = if rest.starts_with('/') { "" } else { "/" };
    (host, format!("{slash}{rest}"))
}

/// Reads a response. Of a body that is larger than `max_bytes`, it keeps the beginning.
pub(crate) fn read_response(status: u16, headers: &[u8], body: &[u8], max_bytes: usize) -> HttpResponse {
    HttpResponse::new(status, header_lines(headers), body.get(..max_bytes).unwrap_or(body))
}

/// The headers of the last block of lines, in lower case. A block begins with a status line, such as that of `100 Continue`. A line
/// without a colon is ignored.
fn header_lines(lines: &[u8]) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    for line in lines.split(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(line);
        if line.starts_with("HTTP/") {
            headers.clear();
        } else if let Some((name, value)) = line.split_once(':') {
            headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    headers
}
