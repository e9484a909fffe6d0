//! Whole campaigns, run against the sandbox.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{Scratch, assert_adds_up, client, create, exported, messages, rows, sent};
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::{self, MAX_DEADLINE, status};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::CsvSource;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Messages, Prices, Template, parse_amount, plan};
use cpaas_sandbox::Sandbox;
use serde_json::json;

#[tokio::test]
async fn every_row_is_sent_once() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "autumn", 2500, Settings::default());
    let progress = Arc::new(Mutex::new(Vec::new()));
    let sink = progress.clone();
    let options = RunOptions::default().on_progress(move |status| sink.lock().unwrap().push(status.clone()));
    let (end, mut journal) = run(journal, "autumn", &client(sandbox.config()), options).await.unwrap();
    assert_eq!(end, RunEnd::Done);
    let found = status(&mut journal, "autumn").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.state, found.accepted, found.attempts), ("done", 2500, 2500));
    progress.lock().unwrap().iter().for_each(assert_adds_up);
    let sent = sent(&sandbox.ledger().await);
    assert_eq!(sent.len(), 2500);
    assert!(sent.values().all(|count| *count == 1));
}

/// `Resolution::NotSent` relies on this limit: it resolves a row only when no call of its permit can be in progress.
#[tokio::test]
async fn a_deadline_above_the_maximum_is_rejected() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "autumn", 1, Settings::default());
    let client = client(sandbox.config());
    let mut options = RunOptions::default();
    let mut journal = Some(journal);
    for deadline in [MAX_DEADLINE + Duration::from_nanos(1), Duration::ZERO] {
        options.deadline = deadline;
        let opened = journal.take().unwrap();
        let error = run(opened, "autumn", &client, options.clone()).await.map(|_| ()).unwrap_err();
        assert_eq!(
            (error.error.code(), error.to_string()),
            ("setting", "the deadline of a row must be more than 0 and at most 60 s".to_owned())
        );
        journal = error.journal;
    }
    drop(journal);
    assert!(sandbox.ledger().await.is_empty());
    options.deadline = MAX_DEADLINE;
    assert_eq!(run(scratch.journal(), "autumn", &client, options).await.unwrap().0, RunEnd::Done);
}

#[tokio::test]
async fn rows_are_excluded_and_counted_by_their_reason() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let csv =
        "phone;name\n306900000001;Ann\n306900000001;Twice\n306900000002;Out\nabc;Bad\n306900000003;Eva\n";
    let mut messages = messages();
    messages.suppress = ["+306900000002"].into_iter().collect();
    let mut source = CsvSource::new(csv.as_bytes(), Default::default()).unwrap();
    let mut settings = Settings::default();
    settings.rate = Some(2.0);
    let planned = plan(&mut source, &messages, &settings).unwrap();
    assert_eq!((planned.rows, planned.valid, planned.invalid), (5, 2, 1));
    assert_eq!((planned.duplicate, planned.suppressed), (1, 1));
    assert_eq!(planned.duration.unwrap().as_secs_f64(), 1.0);
    let problem = &planned.problems[0];
    assert_eq!((problem.row, problem.pointer.as_str()), (4, "/to"));
    assert!(!problem.to_string().contains("abc"), "{problem}");
    let mut source = CsvSource::new(csv.as_bytes(), Default::default()).unwrap();
    let digest = planned.digest.as_deref();
    let _ =
        blocking::create(&mut journal, "five", &mut source, &messages, Settings::default(), digest).unwrap();
    let (_, mut journal) =
        run(journal, "five", &client(sandbox.config()), RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "five").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.invalid, found.duplicate, found.suppressed), (2, 1, 1, 1));
    let outcomes: Vec<_> = exported(&mut journal, "five").into_iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes, ["accepted", "duplicate", "suppressed", "invalid", "accepted"]);
    assert_eq!(sandbox.ledger().await.len(), 2);
}

#[tokio::test]
async fn a_row_with_a_wrong_passcode_is_rejected() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let calls = client(sandbox.config());
    let (mut ids, mut codes) = (Vec::new(), Vec::new());
    for to in [crate::support::phone(1), crate::support::phone(2)] {
        let sent = calls
            .call(cpaas::otp::SendPasscode::new("login", "Acme", &*to, "Your code is {code}"))
            .await
            .unwrap();
        ids.push(sent.request_id.clone().unwrap());
        let filter = cpaas_sandbox::MessageFilter::to(&to);
        let message = sandbox.wait_for(&filter, Duration::from_secs(30)).await.unwrap();
        codes.push(message.otp.unwrap());
    }
    codes[1] = if codes[1] == "000000" { "000001".to_owned() } else { "000000".to_owned() };
    let template = json!({"service": "login", "requestId": "{{ id }}", "code": "{{ code }}"});
    let messages = Messages::new("otp.verify", Template::new(template).unwrap());
    let csv = format!("id,code\n{},{}\n{},{}\n", ids[0], codes[0], ids[1], codes[1]);
    let mut source = CsvSource::new(csv.as_bytes(), Default::default()).unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let _ =
        blocking::create(&mut journal, "codes", &mut source, &messages, Settings::default(), None).unwrap();
    let (_, mut journal) = run(journal, "codes", &calls, RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "codes").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.rejected), (1, 1));
    let rows = exported(&mut journal, "codes");
    let rows: Vec<_> = rows.iter().map(|row| (row.outcome, row.reason.as_deref())).collect();
    assert_eq!(rows, [("accepted", None), ("rejected", Some("not_verified 400"))]);
}

#[tokio::test]
async fn a_file_that_changed_after_the_plan_creates_nothing() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut source = CsvSource::new(&b"phone,name\n306900000001,Ann\n"[..], Default::default()).unwrap();
    let digest = plan(&mut source, &messages(), &Settings::default()).unwrap().digest;
    let mut source = CsvSource::new(&b"phone,name\n306900000002,Ann\n"[..], Default::default()).unwrap();
    let error =
        blocking::create(&mut journal, "x", &mut source, &messages(), Settings::default(), digest.as_deref())
            .unwrap_err();
    assert!(error.to_string().contains("it changed since"), "{error}");
    // The name is free again.
    create(&mut journal, "x", 1, Settings::default());
    let error = blocking::create(&mut journal, "x", &mut rows(1), &messages(), Settings::default(), None);
    assert!(error.unwrap_err().to_string().contains("already exists"));
}

#[tokio::test]
async fn a_wrong_key_halts_the_campaign_after_three_requests() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "keys", 1000, Settings::default());
    let wrong = sandbox.config().sms_key("not-the-key");
    let (end, mut journal) = run(journal, "keys", &client(wrong), RunOptions::default()).await.unwrap();
    assert_eq!(end, RunEnd::Halted);
    let found = status(&mut journal, "keys").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.state, found.rejected, found.attempts), ("halted", 3, 3));
    assert_eq!(found.reason.as_deref(), Some("setup"));
    campaign::resume(&mut journal, "keys").unwrap();
    let (end, mut journal) =
        run(journal, "keys", &client(sandbox.config()), RunOptions::default()).await.unwrap();
    assert_eq!(end, RunEnd::Done);
    assert_eq!(status(&mut journal, "keys").unwrap().accepted, 997);
}

#[tokio::test]
async fn the_spend_never_exceeds_its_maximum() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut messages = messages();
    messages.prices = Some(Prices::read(&b"prefix,price,currency\n3069,0.05,EUR\n"[..]).unwrap());
    let mut settings = Settings::default();
    settings.max_spend = Some(parse_amount("1.23").unwrap());
    let _ = blocking::create(&mut journal, "cap", &mut rows(100), &messages, settings, None).unwrap();
    let (end, mut journal) =
        run(journal, "cap", &client(sandbox.config()), RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "cap").unwrap();
    assert_eq!((end, found.accepted, found.spend.as_deref()), (RunEnd::Halted, 24, Some("1.2")));
    assert_eq!(found.reason.as_deref(), Some("max_spend"));
    assert_eq!(sandbox.ledger().await.len(), 24);
}

#[tokio::test]
async fn under_faults_every_outcome_agrees_with_the_ledger() {
    let sandbox = Sandbox::builder().seed(7).start().await.unwrap();
    let kinds =
        ["reset-after-read", "close-after-read", "accept-then-5xx", "reset-before-read", "truncated-body"];
    let rules: Vec<_> =
        kinds.iter().map(|kind| json!({"kind": kind, "probability": 0.05, "seed": 3})).collect();
    sandbox.set_faults(json!(rules)).await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "faults", 1000, Settings::default());
    let (end, mut journal) =
        run(journal, "faults", &client(sandbox.config()), RunOptions::default()).await.unwrap();
    // Three consecutive unreadable responses halt the campaign.
    assert!(matches!(end, RunEnd::Done | RunEnd::Halted), "{end:?}");
    let found = status(&mut journal, "faults").unwrap();
    assert_adds_up(&found);
    let sent: BTreeMap<_, _> = sent(&sandbox.ledger().await);
    assert!(sent.values().all(|count| *count == 1));
    for row in exported(&mut journal, "faults") {
        let is_sent = sent.contains_key(&row.recipients[0]);
        match row.outcome {
            "accepted" => assert!(is_sent),
            "unknown" => {}
            outcome => assert!(!is_sent, "{outcome}"),
        }
    }
}

#[tokio::test]
async fn a_stopped_run_leaves_nothing_in_flight_and_continues() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.rate = Some(200.0);
    create(&mut journal, "stop", 300, settings);
    let options = RunOptions::default();
    let stop = options.stopper();
    let client = client(sandbox.config());
    let task = tokio::spawn({
        let client = client.clone();
        async move { run(journal, "stop", &client, options).await }
    });
    while sandbox.ledger().await.len() < 40 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    stop();
    let (end, mut journal) = task.await.unwrap().unwrap();
    let found = status(&mut journal, "stop").unwrap();
    assert_adds_up(&found);
    assert_eq!((end, found.in_flight, found.unknown), (RunEnd::Stopped, 0, 0));
    assert!(found.pending > 0);
    campaign::pause(&mut journal, "stop").unwrap();
    let (end, mut journal) = run(journal, "stop", &client, RunOptions::default()).await.unwrap();
    assert_eq!(end, RunEnd::Paused);
    campaign::resume(&mut journal, "stop").unwrap();
    let (end, mut journal) = run(journal, "stop", &client, RunOptions::default()).await.unwrap();
    assert_eq!((end, status(&mut journal, "stop").unwrap().accepted), (RunEnd::Done, 300));
    assert_eq!(sent(&sandbox.ledger().await).len(), 300);
    assert_eq!(sandbox.ledger().await.len(), 300);
}

#[tokio::test]
async fn rows_suppressed_after_creation_and_cancelled_rows_are_counted() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "late", 20, Settings::default());
    journal.suppress(&id, &[crate::support::phone(3), crate::support::phone(4)]).unwrap();
    let client = client(sandbox.config());
    let (_, mut journal) = run(journal, "late", &client, RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "late").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.suppressed, found.state), (18, 2, "done"));
    create(&mut journal, "never", 5, Settings::default());
    campaign::cancel(&mut journal, "never").unwrap();
    let (end, mut journal) = run(journal, "never", &client, RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "never").unwrap();
    assert_adds_up(&found);
    assert_eq!((end, found.cancelled, found.pending), (RunEnd::Cancelled, 5, 0));
    assert!(campaign::resume(&mut journal, "never").is_err());
    journal.purge("late").unwrap();
    assert!(campaign::export(&mut journal, "late", |_| Ok(())).is_err());
    assert_eq!(status(&mut journal, "late").unwrap().accepted, 18);
}
