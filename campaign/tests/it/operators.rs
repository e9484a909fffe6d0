//! What operators do: kept columns, exports with delivery states, tests, limits, a start, changes of settings, and resolutions.

use std::time::{Duration, Instant};

use crate::support::{
    Scratch, assert_adds_up, claim, client, create, exported, messages, open, phone, rows, sent, settlement,
    token, view, won,
};
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::{self, DeliveryReport, TestMessage, TestRows, reference, status};
use cpaas_campaign::journal::{Claimed, Journal, Settings};
use cpaas_campaign::protocol::{Resolution, RowOutcome};
use cpaas_campaign::source::{CsvSource, IteratorSource};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{ChangeDescription, Error, SettingChanges, StartTime, plan, plan_created};
use cpaas_sandbox::Sandbox;
use serde_json::{Value, json};

const CSV: &str =
    "phone,name,customer,Plan name\n306910000000,Ann,C-1,gold\nx,Bad,C-2,\n306910000001,Ben,C-3,a b\n";

fn keeping(columns: &[&str]) -> Settings {
    let mut settings = Settings::default();
    settings.keep = columns.iter().map(|column| (*column).to_owned()).collect();
    settings
}

fn create_csv(journal: &mut Journal, name: &str, csv: &str, settings: Settings) -> Result<String, Error> {
    let mut source = CsvSource::new(csv.as_bytes(), Default::default()).unwrap();
    blocking::create(journal, name, &mut source, &messages(), settings, None).map(|created| created.id)
}

fn bytes_in_files(scratch: &Scratch, text: &[u8]) -> bool {
    ["", "-wal"].iter().any(|suffix| {
        let path = format!("{}{suffix}", scratch.path().display());
        std::fs::read(path).is_ok_and(|bytes| bytes.windows(text.len()).any(|window| window == text))
    })
}

#[test]
fn kept_columns_are_exported_in_the_order_given_and_purged() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create_csv(&mut journal, "c", CSV, keeping(&["Plan name", "customer"])).unwrap();
    let rows = exported(&mut journal, "c");
    let json = serde_json::to_string(&rows[0]).unwrap();
    assert!(json.ends_with(r#""delivery":null,"line":2,"Plan name":"gold","customer":"C-1"}"#), "{json}");
    let kept: Vec<Value> = rows.iter().map(|row| json!(row.kept)).collect();
    assert_eq!(kept[1], json!({"Plan name": "", "customer": "C-2"}));
    assert_eq!(kept[2], json!({"Plan name": "a b", "customer": "C-3"}));
    // The plan names the row of a problem by them, before and after the creation.
    let mut source = CsvSource::new(CSV.as_bytes(), Default::default()).unwrap();
    let planned = plan(&mut source, &messages(), &keeping(&["customer"])).unwrap();
    assert_eq!(json!(planned.problems[0].kept), json!({"customer": "C-2"}));
    let stored = plan_created(&mut journal, "c", None, None).unwrap();
    assert_eq!(json!(stored.problems[0].kept), json!({"customer": "C-2", "Plan name": ""}));
    campaign::cancel(&mut journal, "c").unwrap();
    journal.purge("c").unwrap();
    assert!(matches!(campaign::export(&mut journal, "c", |_| Ok(())), Err(Error::Purged)));
}

#[test]
fn nothing_is_kept_by_default() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    create_csv(&mut journal, "c", CSV, Settings::default()).unwrap();
    assert!(exported(&mut journal, "c").iter().all(|row| row.kept.is_empty()));
    assert!(!bytes_in_files(&scratch, b"customer"));
    create_csv(&mut journal, "d", CSV, keeping(&["customer"])).unwrap();
    assert!(bytes_in_files(&scratch, b"customer"), "the setting names the column");
}

#[test]
fn rows_of_several_chunks_keep_their_columns_and_types() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let row = |row: u64| json!({"phone": phone(row), "name": "N", "id": row, "tags": [row, null]});
    let mut source = IteratorSource((0..2500).map(|number| row(number).as_object().unwrap().clone()));
    let _ = blocking::create(&mut journal, "c", &mut source, &messages(), keeping(&["id", "tags"]), None)
        .unwrap();
    let rows = exported(&mut journal, "c");
    assert_eq!(rows.len(), 2500);
    for (number, row) in (0_u64..).zip(&rows) {
        assert_eq!(json!(row.kept), json!({"id": number, "tags": [number, null]}));
    }
    assert_eq!(rows[7].kept.text(1).as_deref(), Some("[7,null]"));
}

#[test]
fn a_column_that_cannot_be_kept_creates_nothing() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut error =
        |keep: &[&str]| create_csv(&mut journal, "c", CSV, keeping(keep)).unwrap_err().to_string();
    assert_eq!(
        error(&["customer", "vip"]),
        "keep: expected the column `vip`, got the columns phone, name, customer, Plan name"
    );
    assert_eq!(
        error(&["recipients"]),
        "keep: `recipients` is a column of every export; rename the column of the file"
    );
    assert!(error(&["customer", "customer"]).contains("must occur once"));
    // Rows without a header are known at the end only.
    let created = blocking::create(&mut journal, "c", &mut rows(1500), &messages(), keeping(&["vip"]), None);
    let error = created.unwrap_err().to_string();
    assert_eq!(error, "keep: expected the column `vip`, got the columns name, phone");
    assert!(journal.campaigns().unwrap().is_empty());
    let mut source = CsvSource::new(CSV.as_bytes(), Default::default()).unwrap();
    assert!(plan(&mut source, &messages(), &keeping(&["vip"])).is_err(), "the plan finds the same");
}

#[test]
fn invalid_rows_are_exported_with_their_recipient() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let csv = "phone,name\n+30 691 000 0000,Ann\n306910000001,\"\"\n0691,Ben\n";
    let mut settings = Settings::default();
    settings.normalize = Some("international".to_owned());
    create_csv(&mut journal, "c", csv, settings).unwrap();
    let found = exported(&mut journal, "c");
    assert_eq!(
        (found[0].outcome, found[0].recipients.as_slice()),
        ("pending", &["306910000000".to_owned()][..])
    );
    assert_eq!((found[2].outcome, found[2].recipients.as_slice()), ("invalid", &["0691".to_owned()][..]));
    create_csv(&mut journal, "d", csv, Settings::default()).unwrap();
    let found = exported(&mut journal, "d");
    assert_eq!(
        (found[0].outcome, found[0].recipients.as_slice()),
        ("invalid", &["306910000000".to_owned()][..])
    );
    // A row whose template cannot be rendered has no request, and so no recipient.
    let row = json!({"phone": phone(1)}).as_object().unwrap().clone();
    let mut source = IteratorSource([row].into_iter());
    let _ = blocking::create(&mut journal, "e", &mut source, &messages(), Settings::default(), None).unwrap();
    let found = exported(&mut journal, "e");
    assert_eq!((found[0].outcome, found[0].recipients.len()), ("invalid", 0));
}

#[test]
fn the_delivery_state_of_reports_is_exported() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 5, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut of_chunk = view(&mut journal, &id);
    for _ in 0..2 {
        let permit = won(claim(&mut journal, &id, owner, token(), &mut of_chunk));
        of_chunk.won(&permit);
    }
    let report = |row: u64, state: &str| DeliveryReport {
        reference: reference(&id, row, 1),
        status: Some(state.to_owned()).filter(|state| !state.is_empty()),
    };
    // In any order, the furthest state stays; an unknown state is a report without one.
    let reports = [
        report(0, "Delivered"),
        report(0, "sent"),
        report(1, "sent"),
        report(1, "UNDELIVERED"),
        report(2, "someone's name"),
    ];
    assert_eq!(campaign::report(&mut journal, "c", reports).unwrap().settled, 3);
    let states = |journal: &mut Journal| -> Vec<Option<String>> {
        exported(journal, "c").into_iter().map(|row| row.delivery).collect()
    };
    let expected = |third: Option<&str>| {
        [Some("delivered"), Some("undelivered"), third, None, None].map(|state| state.map(str::to_owned))
    };
    assert_eq!(states(&mut journal), expected(None));
    // A later file of reports.
    let reports = [report(0, "failed"), report(1, ""), report(2, "seen")];
    assert_eq!(campaign::report(&mut journal, "c", reports).unwrap().known, 3);
    assert_eq!(states(&mut journal), expected(Some("seen")));
    assert!(!bytes_in_files(&scratch, b"someone's name"));
}

#[test]
fn a_file_of_reports_stores_their_states() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 2, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut of_chunk = view(&mut journal, &id);
    won(claim(&mut journal, &id, owner, token(), &mut of_chunk));
    let path = scratch.folder.path().join("reports.jsonl");
    let (first, second) = (reference(&id, 0, 1), reference(&id, 1, 1));
    let lines = format!(
        "{{\"reference\":\"{first}\",\"status\":\"delivered\"}}\n{{\"status\":200,\"event\":{{\"reference\":\"{second}\",\"status\":\"expired\"}}}}\n"
    );
    std::fs::write(&path, lines).unwrap();
    let _ = campaign::report_file(&mut journal, "c", &path).unwrap();
    let states: Vec<_> = exported(&mut journal, "c").into_iter().filter_map(|row| row.delivery).collect();
    assert_eq!(states, ["delivered", "expired"]);
}

#[test]
fn a_report_of_a_row_that_was_never_claimed_blocks_the_campaign_until_it_is_acknowledged() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 3, Settings::default());
    assert_eq!(campaign::report(&mut journal, "c", [reference(&id, 2, 1)]).unwrap().impossible, 1);
    let error = campaign::resume(&mut journal, "c").unwrap_err();
    assert_eq!(error.code(), "lost_commits");
    assert!(error.to_string().contains("--acknowledge-lost-commits"), "{error}");
    campaign::acknowledge_lost_commits(&mut journal, "c").unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().state, "halted", "an acknowledgment starts nothing");
    campaign::resume(&mut journal, "c").unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().state, "created");
    // The next impossible report is a new reason to stop.
    let _ = campaign::report(&mut journal, "c", [reference(&id, 1, 1)]).unwrap();
    assert!(matches!(campaign::resume(&mut journal, "c"), Err(Error::LostCommits)));
    // An acknowledgment does not change other campaigns, and a report does not revive a cancelled one.
    campaign::cancel(&mut journal, "c").unwrap();
    campaign::acknowledge_lost_commits(&mut journal, "c").unwrap();
    let _ = campaign::report(&mut journal, "c", [reference(&id, 0, 1)]).unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().state, "cancelled");
}

#[test]
fn a_declaration_never_overrides_an_owner_that_runs_on_this_machine() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 2, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut of_chunk = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut of_chunk));
    for owners_stopped in [false, true] {
        let found = journal.resolve(&id, Resolution::NotSent, None, 0, owners_stopped).unwrap();
        assert_eq!((found.resolved, found.owner_alive), (0, 2), "{owners_stopped}");
    }
    // The same owner on another machine.
    let change = |sql: &str| rusqlite::Connection::open(scratch.path()).unwrap().execute(sql, []).unwrap();
    change("UPDATE owners SET process = json_set(process, '$.machine', 'another')");
    let found = journal.resolve(&id, Resolution::NotSent, None, 0, false).unwrap();
    assert_eq!((found.resolved, found.owner_elsewhere), (0, 2));
    let found = journal.resolve(&id, Resolution::NotSent, None, 3_600_000_000, true).unwrap();
    assert_eq!((found.resolved, found.too_recent), (0, 2));
    // What its owner has settled as unknown needs no owner to end.
    journal.exchange(&id, owner, &[settlement(&permit, 0, RowOutcome::Unknown)], 0, None).unwrap();
    let found = journal.resolve(&id, Resolution::NotSent, None, 0, false).unwrap();
    assert_eq!((found.resolved, found.owner_elsewhere), (1, 1));
    let found = journal.resolve(&id, Resolution::NotSent, None, 0, true).unwrap();
    assert_eq!((found.resolved, found.owner_alive, found.owner_elsewhere), (1, 0, 0));
    assert_adds_up(&status(&mut journal, "c").unwrap());
}

#[tokio::test]
async fn a_limit_ends_the_run_after_so_many_rows() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "c", 200, Settings::default());
    let client = client(sandbox.config());
    let mut done = 0;
    for limit in [1, 7, 64, 100] {
        let end;
        (end, journal) = run(journal, "c", &client, RunOptions::default().limit(limit)).await.unwrap();
        done += i64::try_from(limit).unwrap();
        let found = status(&mut journal, "c").unwrap();
        assert_adds_up(&found);
        assert_eq!(
            (end, found.accepted, found.attempts, found.pending, found.in_flight),
            (RunEnd::Limit, done, done, 200 - done, 0)
        );
    }
    let (end, mut journal) = run(journal, "c", &client, RunOptions::default().limit(1000)).await.unwrap();
    assert_eq!((end, status(&mut journal, "c").unwrap().accepted), (RunEnd::Done, 200));
    assert!(sent(&sandbox.ledger().await).values().all(|count| *count == 1));
}

#[tokio::test]
async fn no_row_is_sent_before_the_start() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let soon = jiff::Timestamp::now() + Duration::from_millis(2500);
    let mut settings = Settings::default();
    settings.start_at = Some(StartTime::Moment(soon));
    create(&mut journal, "c", 5, settings);
    let found = status(&mut journal, "c").unwrap();
    let expected = format!("until {} UTC", soon.strftime("%Y-%m-%d %H:%M"));
    assert_eq!((found.state, found.waiting), ("created", Some(expected)));
    let began = Instant::now();
    let (end, mut journal) =
        run(journal, "c", &client(sandbox.config()), RunOptions::default()).await.unwrap();
    assert!(began.elapsed() > Duration::from_millis(1500), "{:?}", began.elapsed());
    assert_eq!((end, status(&mut journal, "c").unwrap().accepted), (RunEnd::Done, 5));
    assert!(jiff::Timestamp::now() >= soon);
    assert_eq!(status(&mut journal, "c").unwrap().waiting, None);
}

#[test]
fn a_start_is_in_the_time_zone_of_the_campaign() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.start_at = Some(StartTime::parse("2099-07-01 09:00").unwrap());
    settings.time_zone = Some("Europe/Athens".to_owned());
    let id = create(&mut journal, "c", 2, settings);
    let found = status(&mut journal, "c").unwrap();
    assert_eq!(found.start_at.as_deref(), Some("2099-07-01T06:00:00Z"));
    assert_eq!(found.waiting.as_deref(), Some("until 2099-07-01 09:00 Europe/Athens"));
    let owner = journal.register_owner(&id).unwrap();
    let mut of_chunk = view(&mut journal, &id);
    assert!(matches!(claim(&mut journal, &id, owner, token(), &mut of_chunk), Claimed::Wait(_)));
}

fn changes(json: Value) -> SettingChanges {
    serde_json::from_value::<ChangeDescription>(json).unwrap().compile().unwrap()
}

#[test]
fn settings_that_send_nothing_are_errors_that_say_why() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "c", 2, Settings::default());
    for json in [json!({"rate": 0.0}), json!({"concurrency": 0}), json!({"rate": -1.0})] {
        let error = campaign::set(&mut journal, "c", &changes(json)).unwrap_err().to_string();
        assert!(error.ends_with("; to send nothing, pause the campaign"), "{error}");
    }
    let zero: ChangeDescription = serde_json::from_value(json!({"window": "0"})).unwrap();
    assert!(zero.compile().unwrap_err().to_string().contains("09:00-20:00"));
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.rate, found.window, found.concurrency), (None, None, None));
    let json = json!({"rate": 5.0, "window": "09:00-20:00", "concurrency": 3});
    campaign::set(&mut journal, "c", &changes(json)).unwrap();
    campaign::set(&mut journal, "c", &changes(json!({"rate": 7.5}))).unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_eq!(
        (found.rate, found.window.as_deref(), found.concurrency),
        (Some(7.5), Some("09:00-20:00"), Some(3))
    );
    assert!(matches!(
        campaign::set(&mut journal, "d", &changes(json!({"rate": 1.0}))),
        Err(Error::NoCampaign)
    ));
}

/// Two workers that run take over the rate, the window and the concurrency that another process sets.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn running_workers_take_over_settings() {
    const WAIT: Duration = Duration::from_secs(20);
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.rate = Some(4.0);
    create(&mut journal, "c", 600, settings);
    let calls = client(sandbox.config());
    let options = [RunOptions::default(), RunOptions::default()];
    let stops: Vec<_> = options.iter().map(RunOptions::stopper).collect();
    let workers: Vec<_> = options
        .into_iter()
        .map(|options| {
            let (journal, client) = (open(&scratch.url()), calls.clone());
            tokio::spawn(async move { run(journal, "c", &client, options).await.map(|(end, _)| end) })
        })
        .collect();
    let until = async |sandbox: &Sandbox, rows: usize| {
        let began = Instant::now();
        while sandbox.ledger().await.len() < rows {
            assert!(began.elapsed() < WAIT, "{rows} rows must be sent, got {}", sandbox.ledger().await.len());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    until(&sandbox, 3).await;
    campaign::set(&mut journal, "c", &changes(json!({"rate": 200.0}))).unwrap();
    until(&sandbox, 150).await;
    // A window that is closed now.
    let hour = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).hour();
    let closed = format!("{:02}:00-{:02}:00", (hour + 3) % 24, (hour + 4) % 24);
    campaign::set(&mut journal, "c", &changes(json!({"window": closed}))).unwrap();
    tokio::time::sleep(Duration::from_millis(2500)).await;
    let before = sandbox.ledger().await.len();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(sandbox.ledger().await.len(), before, "the window is closed");
    assert!(status(&mut journal, "c").unwrap().waiting.unwrap().starts_with("until "));
    campaign::set(&mut journal, "c", &changes(json!({"window": "00:00-24:00", "concurrency": 2}))).unwrap();
    until(&sandbox, before + 100).await;
    stops.iter().for_each(|stop| stop());
    for worker in workers {
        assert_eq!(worker.await.unwrap().unwrap(), RunEnd::Stopped);
    }
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.in_flight, found.unknown), (0, 0));
    assert!(sent(&sandbox.ledger().await).values().all(|count| *count == 1));
}

/// The most rows that were in progress at once, while each response takes a moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_runs_takes_over_more_and_fewer_rows_in_progress() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    sandbox.set_faults(json!([{"kind": "latency", "ms": 150}])).await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "c", 2000, Settings::default());
    let options = RunOptions::default().concurrency(2);
    let stop = options.stopper();
    let (worker_journal, calls) = (open(&scratch.url()), client(sandbox.config()));
    let worker =
        tokio::spawn(async move { run(worker_journal, "c", &calls, options).await.map(|(end, _)| end) });
    let mut most = async |settings: Option<Value>| {
        if let Some(settings) = settings {
            campaign::set(&mut journal, "c", &changes(settings)).unwrap();
        }
        tokio::time::sleep(Duration::from_millis(2500)).await;
        let mut done = Vec::new();
        for _ in 0..2 {
            done.push((Instant::now(), status(&mut journal, "c").unwrap().accepted));
            tokio::time::sleep(Duration::from_millis(1500)).await;
        }
        let rows = done[1].1 - done[0].1;
        rows as f64 / done[1].0.duration_since(done[0].0).as_secs_f64() * 0.15
    };
    let (of_two, of_twenty, of_one) = (
        most(None).await,
        most(Some(json!({"concurrency": 20}))).await,
        most(Some(json!({"concurrency": 1}))).await,
    );
    println!("rows in progress: {of_two:.1} of 2, {of_twenty:.1} of 20, {of_one:.1} of 1");
    stop();
    assert_eq!(worker.await.unwrap().unwrap(), RunEnd::Stopped);
    assert!(of_two <= 2.2 && of_twenty > 4.0 && of_one <= 1.2, "{of_two} {of_twenty} {of_one}");
}

#[tokio::test]
async fn a_test_sends_rows_to_other_numbers_and_changes_nothing() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let csv = "phone,name\n306910000000,Ann\nx,Bad\n306910000001,Ben\n306910000001,Twice\n306910000002,Eva\n";
    let mut settings = Settings::default();
    settings.start_at = Some(StartTime::parse("2099-01-01T00:00").unwrap());
    create_csv(&mut journal, "c", csv, settings).unwrap();
    let before = status(&mut journal, "c").unwrap();
    let calls = client(sandbox.config());
    let own = ["306999999999".to_owned(), "+30 699 888 8888".to_owned()];
    let rows = TestRows::Numbers(vec![3]);
    let mut found = TestMessage::prepare(&mut journal, "c", &rows, &own).unwrap();
    assert!(sandbox.ledger().await.is_empty() && found[0].outcome.is_none());
    for message in &mut found {
        message.send(&calls).await;
    }
    assert_eq!(found.len(), 2);
    for (message, to) in found.iter().zip(["306999999999", "306998888888"]) {
        assert_eq!((message.row, message.to.as_str(), message.outcome), (3, to, Some("accepted")));
        assert_eq!((&message.request["text"], &message.request["to"]), (&json!("Hi Ben"), &json!(to)));
        assert!(message.message_id.is_some() && !format!("{message:?}").contains(to));
    }
    // The first rows that can be sent: neither the invalid one nor the duplicate.
    let mut found = TestMessage::prepare(&mut journal, "c", &TestRows::First(9), &own[..1]).unwrap();
    for message in &mut found {
        message.send(&calls).await;
    }
    assert_eq!(found.iter().map(|message| message.row).collect::<Vec<_>>(), [1, 3, 5]);
    let sent = sent(&sandbox.ledger().await);
    assert_eq!((sent["306999999999"], sent["306998888888"], sent.len()), (4, 1, 2));
    let has_reference = |entry: &Value| !entry["reference"].is_null();
    assert!(!sandbox.ledger().await.iter().any(has_reference), "no report can settle a row");
    let mut own = scratch.journal();
    create(&mut own, "own", 1, Settings::default());
    let _ = run(own, "own", &calls, RunOptions::default()).await.unwrap();
    assert_eq!(sandbox.ledger().await.into_iter().filter(has_reference).count(), 1, "a row has one");
    let mut after = status(&mut journal, "c").unwrap();
    // The other campaign writes to the log of the journal, or removes it.
    after.files.clone_from(&before.files);
    assert_eq!(after, before, "no row has changed");
    for (rows, to, expected) in [
        (TestRows::Numbers(vec![2]), "306999999999", "row 2 is invalid (/to sms.to.not_digits)"),
        (TestRows::Numbers(vec![6]), "306999999999", "rows must be numbers from 1 to 5, got 6"),
        (TestRows::Numbers(vec![0]), "306999999999", "rows must be numbers from 1 to 5, got 0"),
        (TestRows::Numbers(vec![1]), "0699", "one valid number with its country code"),
        (TestRows::Numbers(vec![1]), "306999999999,306999999998", "one valid number"),
        (TestRows::Numbers(vec![1]), "", "one valid number"),
    ] {
        let error = TestMessage::prepare(&mut journal, "c", &rows, &[to.to_owned()]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert!(TestMessage::prepare(&mut journal, "c", &TestRows::First(1), &[]).is_err());
}

/// Row 0 is open under a permit of A, resolved as not sent, and open again under a permit of B. Then A stores that it was accepted, and B
/// is killed.
#[test]
fn a_late_outcome_of_an_earlier_permit_leaves_the_tables_in_agreement() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    let id = create(&mut journal, "c", 1, Settings::default());
    let mut permits = Vec::new();
    for _ in 0..2 {
        let owner = journal.register_owner(&id).unwrap();
        let mut of_chunk = view(&mut journal, &id);
        permits.push((owner, won(claim(&mut journal, &id, owner, token(), &mut of_chunk))));
        journal.release_owner(owner).unwrap();
        if permits.len() == 1 {
            assert_eq!(journal.resolve(&id, Resolution::NotSent, None, 0, false).unwrap().resolved, 1);
        }
    }
    let (owner, permit) = &permits[0];
    journal.exchange(&id, *owner, &[settlement(permit, 0, RowOutcome::Accepted)], 0, None).unwrap();
    let found = journal.campaign("c").unwrap();
    assert_eq!((found.attempts, found.counts.open, found.counts.accepted), (2, 0, 1));
    journal.register_owner(&id).unwrap();
    drop(journal);
    assert_eq!(Journal::verify(&scratch.url_of_file()).unwrap().problems, []);
    // A permitted row that nothing explains.
    let mut journal = open(&scratch.url_of_file());
    let id = create(&mut journal, "d", 1, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut of_chunk = view(&mut journal, &id);
    won(claim(&mut journal, &id, owner, token(), &mut of_chunk));
    let change = |sql: &str| rusqlite::Connection::open(scratch.path()).unwrap().execute(sql, []).unwrap();
    change("UPDATE campaigns SET n_open = 0 WHERE name = 'd'");
    assert!(matches!(journal.register_owner(&id), Err(Error::MixedTables { attempts: 1, found: 0 })));
}
