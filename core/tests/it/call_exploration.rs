//! Explores calls against a small model of the provider: every sequence of what can happen to the requests and waits of a call, within
//! the alphabets below, for each pair of a retry safety and a success marker. The model keeps the ledger, and each end of a call is compared
//! with it.
//!
//! A schedule is a list of choices. Each one is run from the start of a new call, up to its end; then the last choice that has another
//! alternative is changed. For sends and lookups, each request has all alternatives. For other operations, only the first request has: later ones
//! have one of each kind. `CPAAS_CASES=deep` explores more (`tests/nightly/call_rules`).
#![cfg(feature = "call")]

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::client::{CallOptions, CallSteps, Client, Response, Step, TransportError};
use cpaas::clock::Clock as _;
use cpaas::error::{Error, Outcome, Processed, Reason, SentState};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::operation::RetrySafety;
use cpaas::{Config, OperationId};

use crate::support::cpu_time;
use crate::support::manual_clock::ManualClock;

/// Longer than two attempts and shorter than three, and longer than the longest wait for a `Retry-After`.
const DEADLINE: Duration = Duration::from_secs(65);
const ATTEMPT: Duration = Duration::from_secs(25);
const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);
/// The wait between two attempts if the random bytes are zeros.
const BACKOFF: Duration = Duration::from_millis(200);
const MAX_ATTEMPTS: u32 = 3;
const MAX_PAGES: u32 = 3;
/// More steps than any call needs.
const MAX_STEPS: usize = 60;

/// One operation, with what the provider returns for it. `#` in a response is the id that the provider creates.
struct Subject {
    operation: OperationId,
    request: &'static str,
    success: &'static str,
    /// The beginning of a success, up to the member that decides.
    verdict: &'static str,
    /// The success of another request, if a response shows that.
    other: Option<&'static str>,
    /// A rejection in the provider's own form.
    rejection: &'static str,
    /// The rejection of a second request, if the first one was processed and a second one has no effect.
    repeated: Option<&'static str>,
    /// The beginning of the ids that a send or a creation returns.
    id: Option<&'static str>,
    records: Records,
    finds_passcodes: bool,
}

/// The provider's records of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Records {
    None,
    Limits,
    Workflow,
    Passcode,
    Passcodes,
}

const OTP_REJECTION: &str = r#"{"code":490,"message":"no","requestID":null}"#;
const SMS_REJECTION: &str = r#"{"responseCode":902,"responseText":"no"}"#;
const MESSAGING_REJECTION: &str = r#"{"code":902,"message":"no"}"#;
const MESSENGER_C_REJECTION: &str = r#"{"ok":false,"error_code":400,"description":"no"}"#;

impl Subject {
    const fn new(operation: OperationId, request: &'static str, success: &'static str) -> Self {
        Self {
            operation,
            request,
            success,
            verdict: "",
            other: None,
            rejection: OTP_REJECTION,
            repeated: None,
            id: None,
            records: Records::None,
            finds_passcodes: false,
        }
    }

    fn safety(&self) -> RetrySafety {
        self.operation.meta().safety
    }

    /// Whether a second request acts again.
    fn acts_again(&self) -> bool {
        !self.safety().is_repeatable()
    }

    fn is_messaging(&self) -> bool {
        self.operation.meta().id.starts_with("messages.")
    }

    /// Whether the path and the method of a request are those of the operation, not those of a record.
    fn is_own(&self, request: &HttpRequest) -> bool {
        request.operation == self.operation.meta().id
    }

    /// The response to a request if the provider limits the rate.
    fn throttle(&self) -> String {
        match self.rejection {
            OTP_REJECTION => r#"{"code":429,"message":"slow down","requestID":null}"#.to_owned(),
            SMS_REJECTION => SMS_REJECTION.replace("902", "906"),
            MESSAGING_REJECTION => MESSAGING_REJECTION.replace("902", "429"),
            MESSENGER_C_REJECTION => MESSENGER_C_REJECTION.replace("400", "429"),
            lookup if lookup.starts_with('[') => lookup.replace("902", "906"),
            messenger_b => messenger_b.replace(":1,", ":429,"),
        }
    }
}

fn subjects() -> Vec<Subject> {
    let limit =
        r#"{"code":200,"message":"OK","data":{"sid":"LM1","name":"by_ip","buckets":"[]","description":"d"}}"#;
    let other_limit = r#"{"code":200,"message":"OK","data":{"sid":"LM9","name":"by_ip","buckets":"[]"}}"#;
    let send_passcode = || Subject {
        verdict: r#"{"code":200,"#,
        id: Some("OTP"),
        ..Subject::new(
            OperationId::OtpSend,
            r#"{"service":"login","from":"Acme","to":"306912345678","body":"Your code is {code}"}"#,
            r##"{"code":200,"message":"OK","requestID":"#"}"##,
        )
    };
    let messaging = |operation, request, success, verdict, other| Subject {
        verdict,
        other,
        rejection: MESSAGING_REJECTION,
        id: Some("M"),
        ..Subject::new(operation, request, success)
    };
    vec![
        Subject {
            verdict: r#"{"sid":"OTP1","#,
            other: Some(r#"{"sid":"OTP9","status":"success","checks":[]}"#),
            ..Subject::new(
                OperationId::OtpGet,
                r#"{"sid":"OTP1"}"#,
                r#"{"sid":"OTP1","status":"success","checks":[]}"#,
            )
        },
        Subject {
            verdict: r#"{"ok":true,"#,
            rejection: MESSENGER_C_REJECTION,
            ..Subject::new(
                OperationId::WebhooksMessengerCInfo,
                r#"{"bot_id":"bot4711:t-bot-c"}"#,
                r#"{"ok":true,"result":{"url":""}}"#,
            )
        },
        Subject {
            verdict: r#"[{"response":0},"#,
            other: Some(r#"[{"response":0,"msisdn":"306900000000"}]"#),
            rejection: r#"[{"response":902}]"#,
            ..Subject::new(
                OperationId::LookupNumbers,
                r#"{"msisdn":"306912345678"}"#,
                r#"[{"msisdn":"306912345678","mcc":"202","mnc":"01","ported":false,"cost":0.01,"response":0}]"#,
            )
        },
        Subject {
            verdict: r#"{"code":200,"#,
            repeated: Some(r#"{"code":492,"message":"exists","requestID":null}"#),
            id: Some("LM"),
            records: Records::Limits,
            ..Subject::new(
                OperationId::OtpLimitsCreate,
                r#"{"name":"by_ip","buckets":[{"name":"b","max":"3","interval":"60"}],"description":"d"}"#,
                r##"{"code":200,"message":"OK","data":{"sid":"#","name":"by_ip","buckets":"[]","description":"d"}}"##,
            )
        },
        Subject {
            verdict: r#"{"code":200,"#,
            other: Some(other_limit),
            ..Subject::new(OperationId::OtpLimitsUpdate, r#"{"sid":"LM1","description":"d"}"#, limit)
        },
        Subject {
            verdict: r#"{"code":200,"#,
            other: Some(other_limit),
            repeated: Some(r#"{"code":493,"message":"unknown","requestID":null}"#),
            ..Subject::new(OperationId::OtpLimitsDelete, r#"{"sid":"LM1"}"#, limit)
        },
        Subject {
            verdict: r#"{"status":0,"#,
            rejection: r#"{"status":1,"status_message":"no"}"#,
            ..Subject::new(
                OperationId::WebhooksMessengerBSet,
                r#"{"url":"https://hooks.example/b"}"#,
                r#"{"status":0,"status_message":"ok","event_types":["seen"]}"#,
            )
        },
        Subject {
            verdict: r#"{"ok":true,"#,
            rejection: MESSENGER_C_REJECTION,
            ..Subject::new(
                OperationId::WebhooksMessengerCSet,
                r#"{"bot_id":"bot4711:t-bot-c","url":"https://hooks.example/c"}"#,
                r#"{"ok":true,"result":true,"description":"set"}"#,
            )
        },
        Subject {
            verdict: r#"{"code":200,"#,
            other: Some(r#"{"code":200,"message":"OK","data":{"sid":"WF9","name":"plan","channels":[]}}"#),
            records: Records::Workflow,
            ..Subject::new(
                OperationId::OtpWorkflowsUpdate,
                r#"{"sid":"WF1","channels":[{"channel":"voice","interval":"60"}]}"#,
                r#"{"code":200,"message":"OK","data":{"sid":"WF1","name":"plan","channels":[],"description":"d"}}"#,
            )
        },
        Subject {
            verdict: r#"{"code":200,"#,
            other: Some(r#"{"code":200,"message":"canceled","requestID":"OTP9"}"#),
            repeated: Some(r#"{"code":410,"message":"closed","requestID":null}"#),
            records: Records::Passcode,
            ..Subject::new(
                OperationId::OtpCancel,
                r#"{"requestId":"OTP1","accountSid":"AC1"}"#,
                r#"{"code":200,"message":"canceled","requestID":"OTP1"}"#,
            )
        },
        Subject {
            verdict: r#"{"code":200,"#,
            other: Some(r#"{"code":200,"message":"OK","requestID":"OTP9"}"#),
            repeated: Some(r#"{"code":410,"message":"used","requestID":null}"#),
            records: Records::Passcode,
            ..Subject::new(
                OperationId::OtpVerify,
                r#"{"service":"login","requestId":"OTP1","code":"482913"}"#,
                r#"{"code":200,"message":"OK","requestID":"OTP1"}"#,
            )
        },
        send_passcode(),
        Subject { records: Records::Passcodes, finds_passcodes: true, ..send_passcode() },
        Subject {
            verdict: r#"{"responseCode":0,"#,
            other: Some(r#"{"id":"M-other","responseCode":0,"to":"306900000000"}"#),
            rejection: SMS_REJECTION,
            id: Some("M"),
            ..Subject::new(
                OperationId::SmsSend,
                r#"{"from":"Acme","to":"306912345678","text":"Hi","reference":"r-1"}"#,
                r##"{"id":"#","timestamp":"2024-01-01T00:00:00.000Z","responseCode":0,"textLength":2}"##,
            )
        },
        Subject {
            verdict: r#"{"responseCode":0,"#,
            rejection: SMS_REJECTION,
            ..Subject::new(
                OperationId::SmsConvert,
                r#"{"messageId":"M1"}"#,
                r#"{"responseCode":0,"responseText":"OK"}"#,
            )
        },
        messaging(
            OperationId::MessagesSend,
            r#"{"destination":"306912345678","sms":{"text":"Hi","sender":"Acme"}}"#,
            r##"{"messageId":"#","deliveryStatus":"Ready"}"##,
            r#"{"messageId":"M1","#,
            None,
        ),
        messaging(
            OperationId::MessagesSendFailover,
            r#"{"destination":"306912345678","messenger_a":{"type":"regular","regular":{"text":"Hi","type":"text"}},"sms":{"text":"Hi","sender":"Acme"},"failover":{"type":"Timeout","timeoutFailover":{"timeoutInSeconds":60,"status":"Delivered","trafficAccounts":["0f8fad5b-d9cb-469f-a165-70867728950e"]}}}"#,
            r##"["#","#b"]"##,
            r#"["M1","#,
            None,
        ),
        messaging(
            OperationId::MessagesSendBulk,
            r#"{"destinations":["306912345678"],"sms":{"text":"Hi","sender":"Acme"}}"#,
            r##"{"bulkId":"#","messages":[{"destination":"306912345678","messageId":"#m"}]}"##,
            r#"{"bulkId":"B1","#,
            Some(r#"{"bulkId":"B9","messages":[{"destination":"306900000000","messageId":"M9"}]}"#),
        ),
    ]
}

/// A condition under which all schedules of a subject are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Variant {
    Plain,
    /// A hook that lasts until the deadline runs before this request, counted from 1.
    SlowHook(u32),
    /// The caller has opted in to repetitions after an unknown outcome.
    RetryUnknown,
    /// Two other regions are configured.
    Regions,
    /// An earlier call of the client was accepted; a response or a record may be that of the earlier call.
    SecondCall,
    /// The records show the contrary of the truth.
    Lies,
}

impl Variant {
    fn of(subject: &Subject) -> Vec<Self> {
        let mut variants = vec![Self::Plain, Self::SlowHook(1), Self::SlowHook(2), Self::SlowHook(3)];
        if subject.acts_again() {
            variants.push(Self::RetryUnknown);
        }
        if subject.operation == OperationId::SmsSend {
            variants.push(Self::Regions);
        }
        if subject.id.is_some() {
            variants.push(Self::SecondCall);
        }
        if subject.records != Records::None {
            variants.push(Self::Lies);
        }
        variants
    }
}

/// What happens at one step. A `bool` is whether the provider processes the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Choice {
    Success,
    /// The success with the status 503, which a gateway may have written.
    SuccessIn503,
    /// A success whose connection is lost after the member that decides.
    CutAfterVerdict,
    CutBeforeVerdict,
    /// A success that began before the request was written.
    EarlySuccess(bool),
    /// A rejection in the provider's own form, with this status.
    Rejection(u16),
    /// A failure of the provider in the form of a rejection.
    Failure(bool),
    /// The rate limit of the provider, with this `Retry-After`.
    Throttled(Option<u16>),
    /// A rate limit that began before the request was written: it may belong to another request of the connection.
    EarlyThrottle(bool),
    /// A status of a gateway that has not forwarded the request.
    Foreign(u16),
    /// A status that shows nothing, with this `Retry-After`.
    Status(u16, Option<u16>, bool),
    Html(u16, bool),
    /// The success of another request.
    Other(bool),
    /// The response to an earlier call of this client.
    OfEarlierCall(bool),
    NotSent(Reason),
    CertificateRejected,
    Lost(Reason, bool),
    TimePassed(bool),
    Cancelled(SentState, bool),
    /// The records of the provider.
    PageOfRecords,
    /// The records of other calls, with a further page.
    PageBeforeOthers,
    Unreadable,
    /// The wait ends when it should.
    Waited,
    /// The clock reaches the deadline during the wait.
    WaitedToDeadline,
    WaitedBeyondDeadline,
    ClockWentBack,
}

use Choice::*;

impl Choice {
    /// Whether the request of the operation may have been processed after this, as far as a client can know.
    fn leaves_doubt(self, subject: &Subject) -> bool {
        match self {
            SuccessIn503 | CutAfterVerdict | CutBeforeVerdict | EarlySuccess(_) | EarlyThrottle(_)
            | Failure(_) | Status(..) | Html(..) | Other(_) | OfEarlierCall(_) | Lost(..) | TimePassed(_) => {
                true
            }
            // The family `messaging` has no own form of rejections with a status of success or of a gateway.
            Rejection(status) => subject.is_messaging() && !(400..=428).contains(&status),
            _ => false,
        }
    }

    fn is_processed(self) -> bool {
        match self {
            Success | SuccessIn503 | CutAfterVerdict | CutBeforeVerdict => true,
            EarlySuccess(processed)
            | EarlyThrottle(processed)
            | Failure(processed)
            | Status(_, _, processed)
            | Html(_, processed)
            | Other(processed)
            | OfEarlierCall(processed)
            | Lost(_, processed)
            | TimePassed(processed)
            | Cancelled(_, processed) => processed,
            _ => false,
        }
    }
}

/// The choices at the requests of the operation, by the number of the attempt, at the requests for records, and at waits.
struct Alphabets {
    requests: [Vec<Choice>; 3],
    pages: [Vec<Choice>; 3],
    waits: [Vec<Choice>; 3],
}

const CANCELS: [Choice; 3] =
    [Cancelled(SentState::No, false), Cancelled(SentState::Maybe, false), Cancelled(SentState::Maybe, true)];

impl Alphabets {
    fn of(subject: &Subject, variant: Variant, is_deep: bool) -> Self {
        let mut first = vec![
            Success,
            SuccessIn503,
            CutAfterVerdict,
            CutBeforeVerdict,
            EarlySuccess(true),
            EarlySuccess(false),
            Rejection(400),
            Failure(true),
            Failure(false),
            Throttled(None),
            Throttled(Some(1)),
            Throttled(Some(61)),
            EarlyThrottle(true),
            EarlyThrottle(false),
            Foreign(404),
            Foreign(403),
            Status(408, None, true),
            Status(408, None, false),
            Status(503, None, true),
            Status(503, None, false),
            Status(503, Some(1), false),
            Html(429, true),
            Html(429, false),
            Html(200, true),
            Html(200, false),
            NotSent(Reason::Dns),
            NotSent(Reason::Connect),
            NotSent(Reason::Tls),
            NotSent(Reason::Timeout),
            CertificateRejected,
            Lost(Reason::Reset, true),
            Lost(Reason::Reset, false),
            Lost(Reason::Decode, true),
            TimePassed(true),
            TimePassed(false),
        ];
        if subject.operation != OperationId::LookupNumbers {
            first.push(Rejection(200));
        }
        if subject.other.is_some() {
            first.extend([Other(true), Other(false)]);
        }
        if variant == Variant::SecondCall {
            first.extend([OfEarlierCall(true), OfEarlierCall(false)]);
        }
        let mut second = vec![
            Success,
            CutAfterVerdict,
            EarlySuccess(true),
            Rejection(400),
            Throttled(None),
            Throttled(Some(60)),
            EarlyThrottle(true),
            Foreign(404),
            Status(503, None, true),
            Status(503, None, false),
            NotSent(Reason::Connect),
            CertificateRejected,
            Lost(Reason::Reset, true),
            Lost(Reason::Reset, false),
            TimePassed(true),
        ];
        second.extend(first.iter().filter(|choice| matches!(choice, Other(false) | OfEarlierCall(false))));
        let mut third = vec![
            Success,
            Rejection(400),
            Throttled(None),
            NotSent(Reason::Connect),
            Lost(Reason::Reset, true),
            Lost(Reason::Reset, false),
        ];
        let mut pages = vec![
            PageOfRecords,
            Unreadable,
            Foreign(404),
            Status(503, None, false),
            NotSent(Reason::Connect),
            Lost(Reason::Reset, false),
            TimePassed(false),
        ];
        if matches!(subject.records, Records::Limits | Records::Passcodes) {
            pages.push(PageBeforeOthers);
        }
        let mut second_pages = vec![PageOfRecords, Unreadable, NotSent(Reason::Connect)];
        second_pages.extend(pages.iter().filter(|choice| matches!(choice, PageBeforeOthers)));
        let mut third_pages = vec![PageOfRecords, Unreadable];
        let mut waits = vec![Waited, WaitedToDeadline, WaitedBeyondDeadline, ClockWentBack];
        let mut later_waits = vec![Waited, WaitedToDeadline];
        if variant != Variant::Plain {
            first.retain(|choice| {
                second.contains(choice) || matches!(choice, CutBeforeVerdict | OfEarlierCall(_))
            });
            pages.retain(|choice| matches!(choice, PageOfRecords | PageBeforeOthers | Status(..) | Lost(..)));
            waits.clone_from(&later_waits);
        }
        // A send or a lookup is repeated so rarely that all sequences of all choices are explored.
        let is_small = subject.acts_again() && subject.records == Records::None;
        if (is_deep || is_small) && variant == Variant::Plain {
            second.clone_from(&first);
            third.clone_from(&first);
            second_pages.clone_from(&pages);
            later_waits.clone_from(&waits);
        }
        for requests in [&mut first, &mut second] {
            requests.extend(CANCELS);
        }
        third.extend([CANCELS[0], CANCELS[2]]);
        pages.extend([CANCELS[0], CANCELS[1]]);
        second_pages.push(CANCELS[0]);
        third_pages.push(CANCELS[1]);
        for waits in [&mut waits, &mut later_waits] {
            waits.push(CANCELS[0]);
        }
        Self {
            requests: [first, second, third],
            pages: [pages, second_pages, third_pages],
            waits: [waits, later_waits.clone(), later_waits],
        }
    }

    /// The choices at a request for records, of which there are many sequences: after a second attempt, only those that matter most.
    fn of_page(&self, requests: u32, pages: u32) -> &[Choice] {
        let place = if requests > 1 { 2 } else { place(pages) };
        &self.pages[place]
    }
}

/// The choices of one schedule: those of the schedule before, up to its last one that has another alternative, and that alternative.
#[derive(Default)]
struct Schedule {
    choices: Vec<(usize, usize)>,
    position: usize,
}

impl Schedule {
    fn choose(&mut self, alphabet: &[Choice]) -> Choice {
        if self.position == self.choices.len() {
            self.choices.push((0, alphabet.len()));
        }
        let (choice, count) = self.choices[self.position];
        assert_eq!(count, alphabet.len(), "the same choices lead to the same step");
        self.position += 1;
        alphabet[choice]
    }

    /// Changes to the next schedule; returns false after the last one.
    fn advance(&mut self) -> bool {
        self.choices.truncate(self.position);
        self.position = 0;
        while let Some((choice, count)) = self.choices.pop() {
            if choice + 1 < count {
                self.choices.push((choice + 1, count));
                return true;
            }
        }
        false
    }
}

/// The model of the provider, with its ledger.
struct Provider<'a> {
    subject: &'a Subject,
    clock: ManualClock,
    lies: bool,
    /// How often the operation took effect.
    effects: u32,
    /// The number of requests of the operation that arrived.
    requests: u32,
    /// The id and the time, in seconds since the start, of each effect.
    created: Vec<(String, u64)>,
    /// The id that an earlier call of the client created.
    earlier: Option<String>,
}

impl Provider<'_> {
    fn seconds(&self) -> u64 {
        self.clock.passed().as_secs()
    }

    fn id(&self, number: u32) -> String {
        format!("{}{number}", self.subject.id.unwrap_or_default())
    }

    /// Processes a request of the operation; returns the status and the body of the response.
    fn process(&mut self) -> (u16, String) {
        self.requests += 1;
        match self.subject.repeated {
            Some(rejection) if self.effects > 0 => (400, rejection.to_owned()),
            _ => {
                self.effects += 1;
                let id = self.id(self.requests);
                self.created.push((id.clone(), self.seconds()));
                (200, self.subject.success.replace('#', &id))
            }
        }
    }

    /// The records, as a response to a request for the page of its URL.
    fn records(&self, request: &HttpRequest, has_more: bool) -> HttpResponse {
        let page: u64 = match request.url.split_once("page=") {
            Some((_, page)) => page.split('&').next().unwrap().parse().unwrap(),
            None => 0,
        };
        let is_processed = (self.effects > 0) != self.lies;
        let total = page + 1 + u64::from(has_more);
        let processed_at = date_time(self.created.last().map_or(0, |(_, at)| *at));
        let body = match self.subject.records {
            Records::None => unreachable!("an operation without records"),
            Records::Limits => {
                let name = if is_processed && !has_more { "by_ip" } else { "another" };
                let record = format!(r#"{{"sid":"LM1","name":"{name}","buckets":"[]","description":"d"}}"#);
                format!(
                    r#"{{"code":200,"message":"OK","data":{{"result":[{record}],"page":{page},"total":{total}}}}}"#
                )
            }
            Records::Workflow => {
                let channels = if is_processed { r#"[{"channel":"voice","interval":"60"}]"# } else { "[]" };
                format!(
                    r#"{{"code":200,"message":"OK","data":{{"sid":"WF1","name":"plan","channels":{channels},"description":"d"}}}}"#
                )
            }
            Records::Passcode if self.subject.operation == OperationId::OtpCancel => {
                let status = if is_processed { "canceled" } else { "pending" };
                format!(r#"{{"sid":"OTP1","status":"{status}","checks":[]}}"#)
            }
            Records::Passcode => {
                let check = |status| {
                    format!(r#"{{"code":"482913","status":"{status}","dateReceived":"{processed_at}"}}"#)
                };
                let checks = match (self.effects > 0, self.lies) {
                    (true, false) => check("valid"),
                    (false, false) => String::new(),
                    (true, true) => check("invalid"),
                    (false, true) => check("valid"),
                };
                format!(r#"{{"sid":"OTP1","status":"pending","checks":[{checks}]}}"#)
            }
            Records::Passcodes => {
                let record = |id: &str, to: &str, at: u64| {
                    let created = date_time(at);
                    format!(
                        r#"{{"sid":"{id}","service":"login","dateCreated":"{created}","status":"pending","checks":[],"events":[{{"sender":"Acme","recipient":"{to}","channel":"sms"}}]}}"#
                    )
                };
                let mut records = Vec::new();
                if has_more {
                    records.push(record("OTP90", "306900000000", self.seconds()));
                } else {
                    match is_processed {
                        true if self.lies => {
                            records.push(record(&self.id(1), "306912345678", self.seconds()))
                        }
                        true => records.extend(
                            self.created.iter().rev().map(|(id, at)| record(id, "306912345678", *at)),
                        ),
                        false => {}
                    }
                    if let Some(earlier) = &self.earlier {
                        records.push(record(earlier, "306912345678", 0));
                    }
                }
                let total = if has_more { total } else { page + records.len() as u64 };
                let records = records.join(",");
                format!(
                    r#"{{"page":{page},"num_pages":{total},"total":{total},"next_page_uri":null,"twoFaOtpSdrs":[{records}]}}"#
                )
            }
        };
        let now = date_time(self.seconds());
        let date = format!("Tue, 14 Nov 2023 {} GMT", now.split_once(' ').unwrap().1);
        HttpResponse::new(200, vec![("date".to_owned(), date)], body)
    }
}

/// The provider's time some seconds after the start of a schedule.
fn date_time(seconds: u64) -> String {
    let second = 22 * 3600 + 13 * 60 + 20 + seconds;
    assert!(second < 24 * 3600, "the day of the model ends");
    format!("2023-11-14 {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

fn header(name: &str, value: impl ToString) -> Vec<(String, String)> {
    vec![(name.to_owned(), value.to_string())]
}

type Result = std::result::Result<Response<String>, Error>;

/// One schedule: the driver of a call, with what it observed.
struct Run<'a> {
    subject: &'a Subject,
    variant: Variant,
    provider: Provider<'a>,
    clock: ManualClock,
    /// The choices so far.
    trail: Vec<Choice>,
    /// How long the call has lasted: time never runs backwards, and each wait counts in full.
    elapsed: Duration,
    last: Duration,
    /// The requests of the operation, and those for records since the last one.
    requests: u32,
    pages: u32,
    /// Whether a request of the operation may have been processed.
    has_doubt: bool,
    /// What was chosen at the last request of the operation.
    own: Option<Choice>,
    /// The address of the last request of the operation, and whether there is proof that it was not sent.
    url: Option<String>,
    was_not_sent: bool,
    states: &'a mut HashSet<u64>,
}

impl<'a> Run<'a> {
    fn fail(&self, rule: &str) -> ! {
        panic!(
            "{rule}\n{} {:?} {:?}\neffects {}, requests {}, doubt {}, elapsed {:?}",
            self.subject.operation.meta().id,
            self.variant,
            self.trail,
            self.provider.effects,
            self.requests,
            self.has_doubt,
            self.elapsed
        )
    }

    fn check(&self, rule: &str, holds: bool) {
        if !holds {
            self.fail(rule);
        }
    }

    fn observe_time(&mut self) {
        let now = self.clock.monotonic();
        self.elapsed += now.saturating_sub(self.last);
        self.last = now;
    }

    /// Keeps what an observer sees at this step.
    fn observe_state(&mut self, step: &str, duration: Duration) {
        let seen = (
            self.subject.operation,
            self.subject.finds_passcodes,
            self.variant,
            step,
            duration,
            (self.requests, self.pages, self.provider.effects, self.has_doubt),
            self.elapsed.as_millis() / 100,
            self.trail.last().copied(),
        );
        self.states.insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(seen));
    }

    /// Drives a call to its end.
    fn drive(&mut self, client: &Client, alphabets: &Alphabets, schedule: &mut Schedule) -> Result {
        let (operation, request) = (self.subject.operation, self.subject.request);
        let mut steps = client.steps(|client| async move { client.call_json(operation, request).await });
        for _ in 0..MAX_STEPS {
            self.observe_time();
            match steps.step() {
                Step::Ended => return steps.into_output().unwrap(),
                Step::Wait(duration) => {
                    self.observe_state("wait", duration);
                    let alphabet = match duration {
                        Duration::ZERO => &CANCELS_OF_HOOKS[..],
                        _ => &alphabets.waits[place(self.requests + self.pages)],
                    };
                    self.check(
                        "a wait ends before the deadline",
                        duration.is_zero() || self.elapsed + duration < DEADLINE,
                    );
                    self.check("a wait has the length of its cause", self.is_expected_wait(duration));
                    let choice = schedule.choose(alphabet);
                    self.trail.push(choice);
                    if let Cancelled(sent, _) = choice {
                        return self.cancel(steps, sent, None);
                    }
                    self.wait(&mut steps, choice, duration);
                }
                Step::Send { request, limit, left } => {
                    let request = request.clone();
                    self.check("the limit of an attempt is that of the configuration", limit == ATTEMPT);
                    self.check(
                        "the time left is that until the deadline",
                        !left.is_zero() && left == DEADLINE.saturating_sub(self.elapsed),
                    );
                    let is_own = self.subject.is_own(&request);
                    let choice = if is_own {
                        self.check_region(&request);
                        self.requests += 1;
                        self.pages = 0;
                        self.check("a call makes at most three attempts", self.requests <= MAX_ATTEMPTS);
                        self.observe_state("request", Duration::ZERO);
                        schedule.choose(&alphabets.requests[place(self.requests)])
                    } else {
                        self.pages += 1;
                        self.observe_state("page", Duration::ZERO);
                        if self.pages > MAX_PAGES {
                            Foreign(404)
                        } else {
                            schedule.choose(alphabets.of_page(self.requests, self.pages))
                        }
                    };
                    self.trail.push(choice);
                    if let Cancelled(sent, processed) = choice {
                        if is_own && processed {
                            self.provider.process();
                        }
                        return self.cancel(steps, sent, is_own.then_some(sent));
                    }
                    self.has_doubt |= is_own && choice.leaves_doubt(self.subject);
                    if is_own {
                        self.own = Some(choice);
                    }
                    self.was_not_sent = matches!(choice, NotSent(_) | CertificateRejected);
                    self.report(&mut steps, choice, &request, limit.min(left), is_own);
                }
                other => self.fail(&format!("{other:?}")),
            }
        }
        self.fail("a call ends")
    }

    /// After proof that a request was not sent, the next one goes to the next region.
    fn check_region(&mut self, request: &HttpRequest) {
        let is_next = self.variant == Variant::Regions && self.was_not_sent;
        let is_other = self.url.as_ref().is_some_and(|last| *last != request.url);
        self.check("another region is used only after proof", is_other == is_next);
        self.url = Some(request.url.clone());
    }

    /// Whether the last choice requires a wait of this length; after a search of the records, that at the request of the operation.
    fn is_expected_wait(&self, duration: Duration) -> bool {
        if duration.is_zero() {
            return matches!(self.variant, Variant::SlowHook(_));
        }
        let cause = match self.trail.last() {
            Some(PageOfRecords) => self.own,
            last => last.copied(),
        };
        let requested = match cause {
            Some(Throttled(Some(seconds)) | Status(_, Some(seconds), _)) => {
                Duration::from_secs(u64::from(seconds))
            }
            _ => Duration::ZERO,
        };
        let can_succeed = !matches!(self.trail.last(), Some(CertificateRejected));
        can_succeed && duration == requested.max(BACKOFF) && duration <= MAX_RETRY_AFTER
    }

    fn wait(&mut self, steps: &mut CallSteps<Result>, choice: Choice, duration: Duration) {
        let start = self.elapsed;
        match choice {
            Waited => self.clock.advance(duration),
            WaitedToDeadline => self.clock.advance(DEADLINE.saturating_sub(self.elapsed)),
            WaitedBeyondDeadline => self.clock.advance(DEADLINE * 10),
            ClockWentBack => self.clock.go_back(Duration::from_secs(3600)),
            _ => unreachable!("{choice:?}"),
        }
        self.observe_time();
        self.elapsed = self.elapsed.max(start + duration);
        steps.time_passed();
    }

    /// Lets happen what was chosen to a request, and reports it.
    fn report(
        &mut self,
        steps: &mut CallSteps<Result>,
        choice: Choice,
        request: &HttpRequest,
        time: Duration,
        is_own: bool,
    ) {
        let subject = self.subject;
        let (status, success) =
            if is_own && choice.is_processed() { self.provider.process() } else { (200, String::new()) };
        let respond = |status, body: String| HttpResponse::new(status, vec![], body);
        let lost = |reason| TransportError::new(SentState::Maybe, reason);
        match choice {
            Success => steps.respond(respond(status, success)),
            SuccessIn503 => steps.respond(respond(if status == 200 { 503 } else { status }, success)),
            CutAfterVerdict => {
                let cut = if status == 200 { subject.verdict.to_owned() } else { success };
                steps.fail(lost(Reason::Reset).partial(respond(status, cut)));
            }
            CutBeforeVerdict => {
                steps.fail(lost(Reason::Reset).partial(respond(status, r#"{"me"#.to_owned())))
            }
            EarlySuccess(_) => {
                let body = if success.is_empty() { subject.success.replace('#', "E1") } else { success };
                steps.respond_early(respond(status, body));
            }
            Rejection(status) => steps.respond(respond(status, subject.rejection.to_owned())),
            Failure(_) => steps.respond(respond(500, subject.rejection.to_owned())),
            Throttled(wait) => {
                let headers = wait.map(|wait| header("retry-after", wait)).unwrap_or_default();
                steps.respond(HttpResponse::new(429, headers, subject.throttle()));
            }
            EarlyThrottle(_) => steps.respond_early(respond(429, subject.throttle())),
            Foreign(404) => {
                steps.respond(respond(404, r#"{"code":5,"message":"Not Found"}"#.to_owned()));
            }
            Foreign(status) | Html(status, _) => {
                let headers = header("content-type", "text/html");
                steps.respond(HttpResponse::new(status, headers, "<html><body>Log in</body></html>"));
            }
            Status(status, wait, _) => {
                let headers = wait.map(|wait| header("retry-after", wait)).unwrap_or_default();
                steps.respond(HttpResponse::new(status, headers, ""));
            }
            Other(_) => steps.respond(respond(200, subject.other.unwrap().to_owned())),
            OfEarlierCall(_) => {
                let earlier = self.provider.earlier.clone().unwrap();
                steps.respond(respond(200, subject.success.replace('#', &earlier)));
            }
            NotSent(reason) => steps.fail(TransportError::new(SentState::No, reason)),
            CertificateRejected => steps
                .fail(TransportError::new(SentState::No, Reason::Tls).certificate(Some("it has expired"))),
            Lost(reason, _) => steps.fail(lost(reason)),
            TimePassed(_) => {
                self.clock.advance(time);
                self.observe_time();
                steps.time_passed();
            }
            PageOfRecords | PageBeforeOthers => {
                steps.respond(self.provider.records(request, choice == PageBeforeOthers));
            }
            Unreadable => steps.respond(respond(200, r#"{"hello":"world"}"#.to_owned())),
            _ => unreachable!("{choice:?}"),
        }
    }

    /// Cancels the call. `own` is what the driver reports about a request of the operation.
    fn cancel(&mut self, steps: CallSteps<Result>, sent: SentState, own: Option<SentState>) -> Result {
        self.has_doubt |= own == Some(SentState::Maybe);
        let expected = if self.has_doubt { SentState::Maybe } else { SentState::No };
        let error = steps.cancel(sent).unwrap_or_else(|| self.fail("a running call has an error"));
        self.check(
            "a cancelled call reports whether it was sent",
            error.sent == expected && error.reason == Reason::Cancelled,
        );
        Err(error)
    }

    /// Compares the end of a call with the ledger.
    fn check_end(&self, result: &Result) {
        let is_acting = self.subject.acts_again();
        let limit = if self.variant == Variant::RetryUnknown { self.requests } else { 1 };
        self.check("a call acts at most once", !is_acting || self.provider.effects <= limit);
        if self.variant == Variant::Lies {
            return;
        }
        let effects = self.provider.effects;
        match result {
            // A passcode that is not valid is a result, too.
            Ok(response) if self.subject.operation == OperationId::OtpVerify => self.check(
                "a passcode is valid exactly if the provider has verified it",
                response.value.contains(r#""code":200"#) == (effects > 0),
            ),
            Ok(response) => {
                self.check("a call is accepted only if the provider processed it", effects > 0);
                if self.subject.id.is_some() {
                    let has_own = self.provider.created.iter().any(|(id, _)| response.value.contains(id));
                    self.check("an accepted call has its own id", has_own);
                }
            }
            Err(error) => self.check_error(error),
        }
    }

    fn check_error(&self, error: &Error) {
        let effects = self.provider.effects;
        let is_read = self.subject.safety() == RetrySafety::Read;
        let rule = "what the provider processed is never reported as not processed";
        self.check(rule, error.processed() != Processed::No || effects == 0 || is_read);
        if matches!(error.outcome, Outcome::NotSent | Outcome::Invalid) {
            self.check("what the provider processed is never reported as not sent", effects == 0);
        }
        if error.outcome == Outcome::AcceptedIdUnknown {
            self.check("a call is accepted only if the provider processed it", effects > 0);
        }
        self.check(
            "a request that may have been processed counts as possibly sent",
            !(self.has_doubt && error.sent == SentState::No),
        );
    }

    /// Repeats a call that its record calls retryable, against a provider and a network without faults.
    fn repeat(&mut self, client: &Client, error: &Error) {
        let before = self.provider.effects;
        self.clock.advance(Duration::from_millis(error.retry_after_ms.unwrap_or_default()));
        let (operation, request) = (self.subject.operation, self.subject.request);
        let client = client.clone().without_request_hooks();
        let mut steps = client.steps(|client| async move { client.call_json(operation, request).await });
        for _ in 0..MAX_STEPS {
            match steps.step() {
                Step::Ended => break,
                Step::Wait(duration) => {
                    self.clock.advance(duration);
                    steps.time_passed();
                }
                Step::Send { request, .. } if self.subject.is_own(request) => {
                    let (status, body) = self.provider.process();
                    steps.respond(HttpResponse::new(status, vec![], body));
                }
                Step::Send { request, .. } => {
                    let request = request.clone();
                    steps.respond(self.provider.records(&request, false));
                }
                other => self.fail(&format!("{other:?}")),
            }
        }
        let Some(result) = steps.into_output() else { self.fail("a repeated call ends") };
        self.check(
            "a call whose record is retryable never acts twice",
            !self.subject.acts_again() || self.provider.effects <= 1,
        );
        // The provider rejects a second cancellation or deletion.
        let is_rejected_repetition = self.subject.repeated.is_some() && before > 0;
        self.check("a retryable call succeeds if nothing fails", result.is_ok() || is_rejected_repetition);
    }
}

/// The choices at the step before a request, at which hooks run.
const CANCELS_OF_HOOKS: [Choice; 2] = [Waited, CANCELS[0]];

const fn place(number: u32) -> usize {
    match number {
        0 | 1 => 0,
        2 => 1,
        _ => 2,
    }
}

fn config(variant: Variant) -> Config {
    let config = Config::default()
        .otp_url("http://cpaas.test")
        .sms_url("http://cpaas.test")
        .lookup_url("http://cpaas.test")
        .messaging_url("http://cpaas.test")
        .messenger_b_url("http://cpaas.test")
        .messenger_c_url("http://cpaas.test")
        .account_sid("AC1")
        .api_key("k-1")
        .messenger_b_token("t-1")
        .traffic_account_id("0f8fad5b-d9cb-469f-a165-70867728950e")
        .timeout(ATTEMPT)
        .deadline(DEADLINE)
        .retry_unknown(variant == Variant::RetryUnknown);
    match variant {
        Variant::Regions => {
            config.sms_url_frankfurt("http://frankfurt.test").sms_url_singapore("http://singapore.test")
        }
        _ => config,
    }
}

fn client(subject: &Subject, variant: Variant, config: &Config, clock: &ManualClock) -> Client {
    let unused = |_: HttpRequest| async { panic!("the transport of the client sent a request") };
    let mut client = Client::with_transport_and_clock(config, unused, clock.clone()).unwrap();
    if subject.finds_passcodes {
        client = client.with(CallOptions::new().find_passcodes());
    }
    if let Variant::SlowHook(number) = variant {
        let (requests, clock) = (AtomicUsize::new(0), clock.clone());
        client = client.on_request(move |_| {
            if requests.fetch_add(1, Ordering::Relaxed) + 1 == number as usize {
                clock.advance(DEADLINE);
            }
        });
    }
    client
}

/// Runs all schedules of a subject; returns their number.
fn explore(subject: &Subject, variant: Variant, is_deep: bool, states: &mut HashSet<u64>) -> u64 {
    let alphabets = Alphabets::of(subject, variant, is_deep);
    let config = config(variant);
    let mut schedule = Schedule::default();
    let mut schedules = 0;
    loop {
        let clock = ManualClock::new();
        let client = client(subject, variant, &config, &clock);
        let provider = Provider {
            subject,
            clock: clock.clone(),
            lies: variant == Variant::Lies,
            effects: 0,
            requests: 0,
            created: Vec::new(),
            earlier: (variant == Variant::SecondCall).then(|| format!("{}0", subject.id.unwrap_or_default())),
        };
        if let Some(earlier) = &provider.earlier {
            let (operation, request) = (subject.operation, subject.request);
            let mut steps = client.steps(|client| async move { client.call_json(operation, request).await });
            steps.respond(HttpResponse::new(200, vec![], subject.success.replace('#', earlier)));
            assert!(steps.into_output().unwrap().is_ok());
        }
        let mut run = Run {
            subject,
            variant,
            provider,
            last: clock.monotonic(),
            clock,
            trail: Vec::new(),
            elapsed: Duration::ZERO,
            requests: 0,
            pages: 0,
            has_doubt: false,
            url: None,
            was_not_sent: false,
            own: None,
            states: &mut *states,
        };
        let result = run.drive(&client, &alphabets, &mut schedule);
        run.check_end(&result);
        if let Err(error) = &result
            && error.retryable()
        {
            run.repeat(&client, error);
        }
        schedules += 1;
        if !schedule.advance() {
            return schedules;
        }
    }
}

/// Lets the other threads end after the failure of one.
struct StopAfterFailure<'a> {
    next: &'a AtomicUsize,
    jobs: usize,
}

impl Drop for StopAfterFailure<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.next.store(self.jobs, Ordering::Relaxed);
        }
    }
}

/// Every pair of a retry safety and a success marker has a subject.
#[test]
fn each_kind_of_operation_is_explored() {
    let pair = |operation: OperationId| {
        let meta = operation.meta();
        format!("{:?}/{:?}", meta.safety, meta.success_marker)
    };
    let all: BTreeSet<String> = OperationId::ALL.iter().map(|operation| pair(*operation)).collect();
    let explored: BTreeSet<String> = subjects().iter().map(|subject| pair(subject.operation)).collect();
    assert_eq!(explored, all);
}

#[test]
fn no_schedule_makes_the_end_of_a_call_wrong() {
    let is_deep = std::env::var("CPAAS_CASES").is_ok_and(|cases| cases == "deep");
    let subjects = subjects();
    let jobs: Vec<(&Subject, Variant)> = subjects
        .iter()
        .flat_map(|subject| Variant::of(subject).into_iter().map(move |variant| (subject, variant)))
        .collect();
    let (next, total) = (AtomicUsize::new(0), Mutex::new((0, 0, Duration::ZERO)));
    let work = || {
        let _stop = StopAfterFailure { next: &next, jobs: jobs.len() };
        while let Some(&(subject, variant)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut states = HashSet::new();
            let start = cpu_time::spent();
            let schedules = explore(subject, variant, is_deep, &mut states);
            let spent = cpu_time::spent().saturating_sub(start);
            println!(
                "{} {variant:?}: {schedules} schedules, {} states, {:.1} s",
                subject.operation.meta().id,
                states.len(),
                spent.as_secs_f64()
            );
            let mut total = total.lock().unwrap();
            total.0 += schedules;
            total.1 += states.len();
            total.2 += spent;
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            if let Err(panic) = worker.join() {
                resume_unwind(panic);
            }
        }
    });
    let (schedules, states, spent) = *total.lock().unwrap();
    println!("{schedules} schedules, {states} states, {:.0} s of CPU time", spent.as_secs_f64());
    assert!(schedules > 100_000, "{schedules} schedules");
}

/// A client whose requests are never sent retries fifty times, and then once for ten accepted calls.
#[test]
fn the_retries_of_a_client_end() {
    let clock = ManualClock::new();
    let subjects = subjects();
    let subject = subjects.iter().find(|subject| subject.operation == OperationId::SmsSend).unwrap();
    let client = client(subject, Variant::Plain, &config(Variant::Plain), &clock);
    let attempts_of = |calls: u32| {
        let mut attempts = 0;
        for _ in 0..calls {
            let request = subject.request;
            let mut steps = client.steps(|client| async move {
                client.call_json(OperationId::SmsSend, request).await.map(drop)
            });
            loop {
                match steps.step() {
                    Step::Send { .. } => {
                        attempts += 1;
                        steps.fail(TransportError::new(SentState::No, Reason::Connect));
                    }
                    Step::Wait(_) => steps.time_passed(),
                    _ => break,
                }
            }
        }
        attempts
    };
    assert_eq!(attempts_of(100), 100 + 50);
    assert_eq!(attempts_of(10), 10);
    for number in 0..10 {
        let request = subject.request;
        let mut steps =
            client.steps(|client| async move { client.call_json(OperationId::SmsSend, request).await });
        let success = subject.success.replace('#', &format!("N{number}"));
        steps.respond(HttpResponse::new(200, vec![], success));
        assert!(steps.into_output().unwrap().is_ok());
    }
    assert_eq!(attempts_of(10), 10 + 1);
}
