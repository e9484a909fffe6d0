//! A call step by step: the program sends the requests and waits, without a [`Transport`] and without futures of its own.

use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::Client;
#[cfg(all(feature = "http", not(target_family = "wasm")))]
use super::connection_settings::Connections;
use super::hooks::CallEnd;
use super::transport::{Attempt, Progress, Transport, TransportError};
use crate::clock::{BoxFuture, Clock, NoEntropy};
use crate::error::{Error, Reason, SentState};
use crate::http::{HttpRequest, HttpResponse};

impl Client {
    /// Runs a call, or several in a row, step by step: the program sends each request, waits, and reports what happened. For event
    /// loops, and for HTTP clients whose futures are not `Send`. No async runtime is needed.
    ///
    /// The client that the closure receives shares the retry budget, the known ids, the hooks and the stores of this client. Time
    /// and random bytes come from its clock. Its transport and [`Clock::sleep`] are not used, and `connect_timeout`, `proxy`,
    /// `ca_bundle`, `max_connections` and `max_response_bytes` have no effect: connections are the program's.
    ///
    /// ```
    /// use cpaas::client::{Client, Step};
    /// use cpaas::http::HttpResponse;
    /// use cpaas::{Config, sms};
    ///
    /// let client = Client::new(&Config::default().sms_url("https://sms.example").sms_key("key"))?;
    /// let message = sms::SendSms::new("Acme", "306912345678", "Your table is ready");
    /// let mut steps = client.steps(|client| async move { client.call(message).await });
    /// let result = loop {
    ///     match steps.step() {
    ///         Step::Send { request, limit, left } => {
    ///             assert_eq!((request.method.as_str(), limit.min(left).as_secs()), ("POST", 20));
    ///             // Here, the program sends the request with its own HTTP client. If it fails: `steps.fail(…)`.
    ///             steps.respond(HttpResponse::new(200, vec![], r#"{"id":"m-1","responseCode":0}"#));
    ///         }
    ///         Step::Wait(duration) => {
    ///             std::thread::sleep(duration);
    ///             steps.time_passed();
    ///         }
    ///         _ => break steps.into_output(),
    ///     }
    /// };
    /// assert_eq!(result.unwrap()?.id, "m-1");
    /// # Ok::<(), cpaas::Error>(())
    /// ```
    ///
    /// Calls that the closure runs at the same time take turns. Other futures of the program, such as those of a store, do not wake
    /// the steps: see [`CallSteps::poll`].
    pub fn steps<F, T>(&self, run: impl FnOnce(Self) -> F) -> CallSteps<T>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let turn = Arc::new(Turn::default());
        let cancelled = Arc::<Mutex<Option<Error>>>::default();
        let mut client = self.clone();
        let shared = Arc::make_mut(&mut client.environment.shared);
        let host = Arc::clone(&shared.clock);
        shared.transport = Arc::new(StepTransport { turn: Arc::clone(&turn), clock: Arc::clone(&host) });
        shared.clock = Arc::new(StepClock { turn: Arc::clone(&turn), host });
        #[cfg(all(feature = "http", not(target_family = "wasm")))]
        {
            client.connections = Connections::Steps;
        }
        let keep = Arc::clone(&cancelled);
        let client = client.also_on_outcome(move |event| {
            let mut kept = lock(&keep);
            if event.ending == CallEnd::Abandoned
                && kept.as_ref().is_none_or(|error| error.sent == SentState::No)
            {
                *kept = Some(event.cancelled_error());
            }
        });
        let call = Some(Box::pin(run(client)) as BoxFuture<'static, T>);
        let mut steps = CallSteps { call, current: Current::Ended, output: None, turn, cancelled };
        steps.poll();
        steps
    }
}

/// What the program does next in a [`CallSteps`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Step<'a> {
    /// Send this request once, without redirects and retries. Report the response or the failure, or that the smaller of the two
    /// times has passed.
    Send {
        /// The request. On a connection of its own if [`HttpRequest::needs_own_connection`].
        request: &'a HttpRequest,
        /// The time limit of the request from the start of sending.
        limit: Duration,
        /// The time left until the deadline of the call; the program may wait for a connection until then.
        left: Duration,
    },
    /// Wait this long, then report that the time has passed. If the duration is zero, first run what the call must find done, such as
    /// the work of a hook.
    Wait(Duration),
    /// The result is available: [`CallSteps::into_output`].
    Ended,
}

/// A call that runs step by step; see [`Client::steps`]. The current step stays the same until a report or [`CallSteps::poll`] runs the call.
/// A report that does not fit the current step, such as a response during a wait, is ignored.
///
/// Dropping it abandons the call: if the current step is a request, it counts as possibly sent.
pub struct CallSteps<T> {
    /// `None` after its end.
    call: Option<BoxFuture<'static, T>>,
    current: Current,
    output: Option<T>,
    turn: Arc<Turn>,
    /// The error of the call that was dropped; of several at the same time, that of one that may have been sent.
    cancelled: Arc<Mutex<Option<Error>>>,
}

enum Current {
    Asked(Question),
    /// The call waits for a future of the program.
    Idle,
    Ended,
}

impl<T> CallSteps<T> {
    /// The current step.
    #[must_use]
    pub fn step(&self) -> Step<'_> {
        match &self.current {
            Current::Asked(Question::Send { request, limit, left }) => {
                Step::Send { request, limit: *limit, left: *left }
            }
            Current::Asked(Question::Wait(duration)) => Step::Wait(*duration),
            Current::Idle => Step::Wait(Duration::ZERO),
            Current::Ended => Step::Ended,
        }
    }

    /// Reports the response to the request.
    pub fn respond(&mut self, response: HttpResponse) {
        self.report_request(Report::Response { response, is_early: false });
    }

    /// Reports a response that began before the whole request was written: a success is then not one of this request. Of an early
    /// response that is incomplete, report only the failure.
    pub fn respond_early(&mut self, response: HttpResponse) {
        self.report_request(Report::Response { response, is_early: true });
    }

    /// Reports that the request failed, with [`SentState::No`] only with proof that no byte of it was processed.
    pub fn fail(&mut self, error: TransportError) {
        self.report_request(Report::Failed(error));
    }

    /// Reports that the time of the wait or of the request has passed. A request then counts as possibly sent; with proof that it was
    /// not sent, report [`CallSteps::fail`] instead.
    pub fn time_passed(&mut self) {
        if let Current::Asked(_) = self.current {
            self.turn.answer(Stage::Reported(Report::TimePassed));
        }
        self.poll();
    }

    /// Runs the call without a report, as far as possible: a future of the program that it waits for, such as that of a store, may be
    /// ready. Otherwise, the call finds that out when the current step ends. If the current step is another one afterward, the request or
    /// the wait of the step before has ended: report nothing about it.
    pub fn poll(&mut self) {
        let current = std::mem::replace(&mut self.current, Current::Ended);
        // A call that panics is not polled again.
        let Some(mut call) = self.call.take() else { return };
        match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => self.output = Some(output),
            Poll::Pending => {
                self.call = Some(call);
                self.current = self.turn.current(current);
            }
        }
    }

    /// Drops the call. `sent` is whether the request of the current step may have been sent: everything but [`SentState::No`] counts as
    /// possibly sent. In other steps it has no effect. Returns the error of the call, whose reason is `cancelled`; of several at the same
    /// time, that of one that may have been sent. `None` if no call was running, for example because it had ended.
    #[must_use = "the error shows whether a message may have been sent"]
    pub fn cancel(self, sent: SentState) -> Option<Error> {
        let Self { call, current, turn, cancelled, .. } = self;
        if matches!(current, Current::Asked(_)) && sent == SentState::No {
            turn.answer(Stage::NotSent);
        }
        *lock(&cancelled) = None;
        drop(call);
        lock(&cancelled).take()
    }

    /// The result; `None` before the end.
    #[must_use]
    pub fn into_output(self) -> Option<T> {
        self.output
    }

    fn report_request(&mut self, report: Report) {
        if let Current::Asked(Question::Send { .. }) = self.current {
            self.turn.answer(Stage::Reported(report));
            self.poll();
        }
    }
}

impl<T> fmt::Debug for CallSteps<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallSteps").field("step", &self.step()).finish_non_exhaustive()
    }
}

/// What a call asks the program to do.
enum Question {
    Send { request: HttpRequest, limit: Duration, left: Duration },
    Wait(Duration),
}

/// What the program reported.
enum Report {
    Response { response: HttpResponse, is_early: bool },
    Failed(TransportError),
    TimePassed,
}

/// The place where one call at a time asks the program and waits for its report.
#[derive(Default)]
struct Turn {
    stage: Mutex<Stage>,
    /// The calls that wait. Futures that run several calls poll only those that were woken.
    waiting: Mutex<Vec<Waker>>,
}

#[derive(Default)]
enum Stage {
    /// No call asks.
    #[default]
    Free,
    /// A call asked; the program does not know it yet.
    Asked(Question),
    /// The program knows the question.
    Taken,
    /// The call is cancelled, and the program has not sent the request.
    NotSent,
    Reported(Report),
}

impl Turn {
    fn lock(&self) -> MutexGuard<'_, Stage> {
        lock(&self.stage)
    }

    fn wait(&self, context: &Context<'_>) {
        let mut waiting = lock(&self.waiting);
        if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
            waiting.push(context.waker().clone());
        }
    }

    fn wake_all(&self) {
        let waiting = std::mem::take(&mut *lock(&self.waiting));
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Answers the call that asked, if it still waits.
    fn answer(&self, answer: Stage) {
        let mut stage = self.lock();
        if matches!(*stage, Stage::Taken) {
            *stage = answer;
        }
        drop(stage);
        self.wake_all();
    }

    /// What the program does next, after a poll.
    fn current(&self, before: Current) -> Current {
        let mut stage = self.lock();
        match std::mem::replace(&mut *stage, Stage::Taken) {
            Stage::Asked(question) => Current::Asked(question),
            Stage::Taken => before,
            other => {
                *stage = other;
                Current::Idle
            }
        }
    }

    /// Waits until no other call asks.
    async fn wait_until_free(&self) {
        poll_fn(|context| {
            self.wait(context);
            if matches!(*self.lock(), Stage::Free) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// Asks the program; returns its report. A request that is dropped before is marked in `progress`, unless the program has not sent it.
    async fn ask(&self, question: Question, progress: Option<&Progress>) -> Report {
        *self.lock() = Stage::Asked(question);
        let _asking = Asking { turn: self, progress };
        poll_fn(|context| {
            self.wait(context);
            let mut stage = self.lock();
            match std::mem::take(&mut *stage) {
                Stage::Reported(report) => Poll::Ready(report),
                other => {
                    *stage = other;
                    Poll::Pending
                }
            }
        })
        .await
    }
}

/// A call that asks the program.
struct Asking<'a> {
    turn: &'a Turn,
    progress: Option<&'a Progress>,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let stage = std::mem::take(&mut *self.turn.lock());
        self.turn.wake_all();
        if let (Some(progress), false) = (self.progress, matches!(stage, Stage::NotSent)) {
            progress.mark_maybe_sent();
        }
    }
}

/// Asks the program to send requests.
struct StepTransport {
    turn: Arc<Turn>,
    clock: Arc<dyn Clock>,
}

impl StepTransport {
    async fn exchange(
        &self,
        request: &HttpRequest,
        limit: Duration,
        left: Duration,
        progress: &Progress,
    ) -> Result<HttpResponse, TransportError> {
        let start = self.clock.monotonic();
        self.turn.wait_until_free().await;
        let left = left.saturating_sub(self.clock.monotonic().saturating_sub(start));
        if left.is_zero() {
            return Err(TransportError::new(SentState::No, Reason::Timeout));
        }
        let question = Question::Send { request: request.clone(), limit, left };
        match self.turn.ask(question, Some(progress)).await {
            Report::Response { response, is_early } => {
                if is_early {
                    progress.mark_early_response();
                }
                Ok(response)
            }
            Report::Failed(error) => Err(error),
            Report::TimePassed => Err(TransportError::new(SentState::Maybe, Reason::Timeout)),
        }
    }
}

impl Transport for StepTransport {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(async move { self.exchange(request, timeout, timeout, &Progress::default()).await })
    }

    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(self.exchange(request, attempt.limit(), attempt.left(), attempt.progress()))
    }
}

/// Asks the program to wait; the rest comes from the clock of the client.
struct StepClock {
    turn: Arc<Turn>,
    host: Arc<dyn Clock>,
}

impl Clock for StepClock {
    fn monotonic(&self) -> Duration {
        self.host.monotonic()
    }

    fn unix_time(&self) -> Duration {
        self.host.unix_time()
    }

    fn sleep(&self, duration: Duration) -> Option<BoxFuture<'_, ()>> {
        Some(Box::pin(async move {
            self.turn.wait_until_free().await;
            self.turn.ask(Question::Wait(duration), None).await;
        }))
    }

    fn fill_random(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        self.host.fill_random(bytes)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
