//! Campaigns from streams, and what creations and runs leave behind that fail, panic or are dropped.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use crate::support::{Scratch, assert_adds_up, client, exported, messages, open, phone, rows, sent};
use cpaas_campaign::blocking::Creation;
use cpaas_campaign::campaign::{create, create_from_stream, open_journal, status};
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::source::{CsvSource, IteratorSource};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Columns, Error, ErrorWithJournal, blocking};
use cpaas_sandbox::Sandbox;
use futures_util::stream::{self, Stream, StreamExt as _};
use serde_json::json;

/// An error with a text of a row.
#[derive(Debug)]
struct Failed;

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("canary-4711")
    }
}

impl std::error::Error for Failed {}

fn row(number: u64) -> Columns {
    let row = json!({"phone": phone(number), "name": format!("N{number}")});
    row.as_object().unwrap().clone()
}

fn numbered(count: u64) -> impl Stream<Item = Result<Columns, Failed>> + Unpin {
    stream::iter((0..count).map(|number| Ok(row(number))))
}

async fn from_stream(
    journal: Journal,
    rows: impl Stream<Item = Result<Columns, Failed>>,
) -> Result<(Creation, Journal), ErrorWithJournal> {
    create_from_stream(journal, "c", rows, messages(), Settings::default()).await
}

/// Descriptors of this process that are open on files of the journal.
fn descriptors(scratch: &Scratch) -> usize {
    let folder = scratch.folder.path();
    let open = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    open.filter(|entry| std::fs::read_link(entry.path()).is_ok_and(|path| path.starts_with(folder))).count()
}

/// Waits until the thread has closed the journal; then neither a campaign nor a lock may be left.
fn assert_nothing_is_left(scratch: &Scratch) {
    let began = Instant::now();
    let mut journal = open(&scratch.url());
    while !journal.campaigns().unwrap().is_empty() {
        assert!(began.elapsed() < Duration::from_secs(20), "a campaign is left");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(journal.campaign("c").unwrap_err().code(), "no_campaign");
    drop(journal);
    while descriptors(scratch) > 0 {
        assert!(began.elapsed() < Duration::from_secs(20), "{} descriptors are left", descriptors(scratch));
        std::thread::sleep(Duration::from_millis(5));
    }
    if let Ok(lock) = std::fs::File::open(format!("{}-lock", scratch.url())) {
        lock.try_lock().unwrap();
    }
    if let Ok(database) = rusqlite::Connection::open(scratch.path()) {
        let chunks = database.query_row("SELECT COUNT(*) FROM chunks", [], |row| row.get::<_, i64>(0));
        assert!(chunks.is_err() || chunks == Ok(0), "rows are left: {chunks:?}");
    }
    let mut journal = open(&scratch.url());
    let _ =
        blocking::create(&mut journal, "c", &mut rows(1), &messages(), Settings::default(), None).unwrap();
}

#[test]
fn futures_can_move_between_threads_and_errors_can_be_shared() {
    fn sends<T: Send>(_: T) {}
    fn shares<T: Send + Sync + 'static>() {}
    shares::<ErrorWithJournal>();
    shares::<Journal>();
    let scratch = Scratch::new();
    sends(open_journal(&scratch.url(), OpenOptions::default()));
    sends(from_stream(scratch.journal(), numbered(1)));
    sends(create(
        scratch.journal(),
        "c",
        IteratorSource([row(1)].into_iter()),
        messages(),
        Settings::default(),
        None,
    ));
}

/// The sizes are those at which a batch of the stream or a chunk of the journal is full.
#[tokio::test]
async fn a_stream_stores_the_same_rows_as_an_iterator() {
    let scratch = Scratch::new();
    let mut journal = open_journal(&scratch.url(), OpenOptions::default()).await.unwrap();
    for count in [0, 1, 255, 256, 257, 999, 1000, 1001, 2560] {
        let (name, other) = (format!("stream {count}"), format!("iterator {count}"));
        let created =
            create_from_stream(journal, &name, numbered(count), messages(), Settings::default()).await;
        journal = created.unwrap().1;
        let source = IteratorSource((0..count).map(row));
        let created = create(journal, &other, source, messages(), Settings::default(), None).await;
        journal = created.unwrap().1;
        let found = status(&mut journal, &name).unwrap();
        assert_eq!((found.state, found.rows), (if count == 0 { "done" } else { "created" }, count as i64));
        let recipients = |rows: Vec<cpaas_campaign::campaign::ExportRow>| -> Vec<_> {
            rows.into_iter().map(|row| (row.row, row.outcome, row.recipients)).collect()
        };
        assert_eq!(recipients(exported(&mut journal, &name)), recipients(exported(&mut journal, &other)));
    }
}

/// The stream borrows from its caller, is not `Send`, and is often not ready.
#[tokio::test]
async fn a_stream_may_borrow_and_wait() {
    let scratch = Scratch::new();
    let people: Vec<u64> = (0..300).collect();
    let polled = std::rc::Rc::new(std::cell::Cell::new(0));
    let rows = stream::iter(&people).then(async |number| {
        polled.set(polled.get() + 1);
        tokio::task::yield_now().await;
        Ok::<_, Failed>(row(*number))
    });
    let (_, mut journal) = from_stream(scratch.journal(), rows).await.unwrap();
    assert_eq!((status(&mut journal, "c").unwrap().pending, polled.get()), (300, 300));
}

#[tokio::test]
async fn an_item_that_fails_ends_the_creation_and_leaves_no_campaign() {
    const COUNT: u64 = 2500;
    for failing in [0, 1, 255, 256, 999, 1000, 1001, COUNT - 1] {
        let scratch = Scratch::new();
        let rows = (0..COUNT).map(|number| if number == failing { Err(Failed) } else { Ok(row(number)) });
        let failed = from_stream(scratch.journal(), stream::iter(rows)).await.unwrap_err();
        let Error::Item { row: found, source } = &failed.error else { panic!("{failed}") };
        assert_eq!(*found, failing + 1);
        assert!(source.is::<Failed>());
        assert_eq!(failed.error.code(), "item");
        assert_eq!(failed.to_string(), format!("row {} of the stream is an error", failing + 1));
        assert!(std::error::Error::source(&failed).unwrap().is::<Failed>());
        let mut journal = failed.journal.expect("the journal can be used");
        assert!(journal.campaigns().unwrap().is_empty());
        drop(journal);
        assert_nothing_is_left(&scratch);
    }
}

#[tokio::test]
async fn a_stream_that_panics_leaves_no_campaign() {
    for at in [0, 1, 1500] {
        let scratch = Scratch::new();
        let journal = scratch.journal();
        let rows = stream::iter((0..2000).map(move |number| {
            assert!(number != at, "a panic of the test");
            Ok(row(number))
        }));
        let ended = tokio::spawn(async move { from_stream(journal, rows).await.map(drop) }).await;
        assert!(ended.unwrap_err().is_panic());
        assert_nothing_is_left(&scratch);
    }
}

#[tokio::test]
async fn a_future_that_is_dropped_leaves_no_campaign() {
    for before in [0, 1, 300, 1500] {
        let scratch = Scratch::new();
        let rows = numbered(before).chain(stream::pending());
        let dropped =
            tokio::time::timeout(Duration::from_millis(300), from_stream(scratch.journal(), rows)).await;
        assert!(dropped.is_err());
        assert_nothing_is_left(&scratch);
    }
    // An endless stream that is always ready.
    let scratch = Scratch::new();
    let rows = stream::iter((0..).map(|number| Ok(row(number))));
    let dropped =
        tokio::time::timeout(Duration::from_millis(800), from_stream(scratch.journal(), rows)).await;
    assert!(dropped.is_err());
    assert_nothing_is_left(&scratch);
    // An endless source that blocks its thread.
    let scratch = Scratch::new();
    let source = IteratorSource((0..).map(row));
    let created = create(scratch.journal(), "c", source, messages(), Settings::default(), None);
    assert!(tokio::time::timeout(Duration::from_millis(800), created).await.is_err());
    assert_nothing_is_left(&scratch);
}

/// The campaign is complete, and its caller has not been told.
#[tokio::test]
async fn a_future_that_is_dropped_after_its_last_row_leaves_no_campaign() {
    let scratch = Scratch::new();
    let mut watching = open(&scratch.url());
    {
        let mut created = pin!(from_stream(scratch.journal(), numbered(10)));
        let began = Instant::now();
        loop {
            let polled = poll_fn(|context| Poll::Ready(created.as_mut().poll(context))).await;
            assert!(polled.is_pending(), "polled once too often");
            std::thread::sleep(Duration::from_millis(20));
            if watching.campaign("c").is_ok_and(|campaign| campaign.counts.rows == 10) {
                break;
            }
            assert!(began.elapsed() < Duration::from_secs(10));
        }
        while status(&mut watching, "c").unwrap().state != "created" {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    drop(watching);
    assert_nothing_is_left(&scratch);
}

#[tokio::test]
async fn a_source_that_panics_leaves_no_campaign() {
    let panics = || {
        IteratorSource(
            (0..2000).map(|number| if number == 1500 { panic!("a panic of the test") } else { row(number) }),
        )
    };
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let created = std::panic::catch_unwind(AssertUnwindSafe(|| {
        blocking::create(&mut journal, "c", &mut panics(), &messages(), Settings::default(), None)
    }));
    assert!(created.is_err());
    assert!(journal.campaigns().unwrap().is_empty());
    let failed = create(journal, "c", panics(), messages(), Settings::default(), None).await.unwrap_err();
    assert!(failed.journal.is_none());
    assert_eq!(failed.to_string(), "the source of the rows panicked");
    assert_eq!(failed.error.code(), "task");
    assert_nothing_is_left(&scratch);
}

/// The error of the journal does not wait for a stream that never ends.
#[tokio::test]
async fn a_creation_that_cannot_begin_does_not_wait_for_the_stream() {
    let scratch = Scratch::new();
    let (_, journal) = from_stream(scratch.journal(), numbered(3)).await.unwrap();
    let created = from_stream(journal, stream::pending());
    let failed = tokio::time::timeout(Duration::from_secs(10), created).await.unwrap().unwrap_err();
    assert_eq!(failed.error.code(), "name_taken");
    let mut journal = failed.journal.unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().pending, 3, "the other campaign stays");
    let mut settings = Settings::default();
    settings.rate = Some(0.0);
    let failed = create_from_stream(journal, "d", numbered(1), messages(), settings).await.unwrap_err();
    assert_eq!((failed.error.code(), failed.journal.is_some()), ("setting", true));
}

#[tokio::test]
async fn a_file_that_changed_since_its_plan_is_refused_with_the_journal() {
    let scratch = Scratch::new();
    let source = CsvSource::new("phone,name\n306900000001,Ann\n".as_bytes(), Default::default()).unwrap();
    let created = create(scratch.journal(), "c", source, messages(), Settings::default(), Some("another"));
    let failed = created.await.unwrap_err();
    assert_eq!((failed.error.code(), failed.journal.is_some()), ("source", true));
    drop(failed);
    assert_nothing_is_left(&scratch);
}

/// The longest time between two ticks of a timer of the runtime while a future runs.
async fn longest_pause<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let longest = AtomicU64::new(0);
    let ticks = async {
        let mut last = Instant::now();
        loop {
            tokio::time::sleep(Duration::from_millis(5)).await;
            longest.fetch_max(last.elapsed().as_millis() as u64, Ordering::SeqCst);
            last = Instant::now();
        }
    };
    let work = async {
        let result = work.await;
        tokio::time::sleep(Duration::from_millis(50)).await; // the tick after a pause
        result
    };
    let result = tokio::select! {
        biased;
        () = ticks => unreachable!(),
        result = work => result,
    };
    (result, Duration::from_millis(longest.into_inner()))
}

/// Another process keeps the journal locked for 1.5 s.
fn lock_for_a_while(scratch: &Scratch) {
    let lock = std::fs::File::open(format!("{}-lock", scratch.url_of_file())).unwrap();
    lock.lock().unwrap();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(1500));
        lock.unlock().unwrap();
    });
}

#[tokio::test]
async fn a_runtime_of_one_thread_is_not_blocked() {
    const LIMIT: Duration = Duration::from_millis(700);
    let scratch = Scratch::file();
    drop(open(&scratch.url()));
    lock_for_a_while(&scratch);
    let (blocked, pause) = longest_pause(async { open(&scratch.url()) }).await;
    assert!(pause > LIMIT, "the blocking function must block, so that this test can fail: {pause:?}");
    drop(blocked);

    lock_for_a_while(&scratch);
    let began = Instant::now();
    let (journal, pause) = longest_pause(open_journal(&scratch.url(), OpenOptions::default())).await;
    assert!(began.elapsed() > LIMIT && pause < LIMIT, "opening: {pause:?} in {:?}", began.elapsed());

    lock_for_a_while(&scratch);
    let began = Instant::now();
    let (created, pause) = longest_pause(from_stream(journal.unwrap(), numbered(10))).await;
    assert!(began.elapsed() > LIMIT && pause < LIMIT, "a stream: {pause:?} in {:?}", began.elapsed());

    lock_for_a_while(&scratch);
    let source = IteratorSource((0..10).map(row));
    let created = create(created.unwrap().1, "d", source, messages(), Settings::default(), None);
    let (created, pause) = longest_pause(created).await;
    assert!(pause < LIMIT, "a source: {pause:?}");

    // A stream that is always ready, and that costs more than the rows that are stored from it.
    let slow = stream::iter((0..3000).map(|number| {
        let began = Instant::now();
        while began.elapsed() < Duration::from_micros(300) {}
        Ok::<_, Failed>(row(number))
    }));
    let created = create_from_stream(created.unwrap().1, "e", slow, messages(), Settings::default());
    let (created, pause) = longest_pause(created).await;
    assert!(pause < LIMIT, "a stream that is always ready: {pause:?}");
    let _ = created.unwrap();
}

/// A thread of the runtime's pool is not needed either: all of them may be busy with the stream itself.
#[test]
fn a_creation_needs_no_thread_of_the_pool() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    let scratch = Scratch::new();
    runtime.block_on(async {
        let journal = open_journal(&scratch.url(), OpenOptions::default()).await.unwrap();
        let rows: Pin<Box<dyn Stream<Item = Result<Columns, Failed>>>> =
            Box::pin(stream::iter(0..5).then(|number| async move {
                tokio::task::spawn_blocking(move || Ok(row(number))).await.unwrap()
            }));
        let created = tokio::time::timeout(Duration::from_secs(20), from_stream(journal, rows)).await;
        assert_eq!(status(&mut created.unwrap().unwrap().1, "c").unwrap().pending, 5);
    });
}

#[tokio::test]
async fn a_run_that_cannot_begin_returns_the_journal() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let client = client(sandbox.config());
    let scratch = Scratch::new();
    let failed = run(scratch.journal(), "none", &client, RunOptions::default()).await.unwrap_err();
    assert_eq!(failed.error.code(), "no_campaign");
    let mut options = RunOptions::default();
    options.deadline = Duration::from_secs(61);
    let failed = run(failed.journal.unwrap(), "none", &client, options).await.unwrap_err();
    assert_eq!(failed.error.code(), "setting");
    assert!(!failed.error.closes_journal());
    let (_, journal) = from_stream(failed.journal.unwrap(), numbered(3)).await.unwrap();
    let (end, mut journal) = run(journal, "c", &client, RunOptions::default()).await.unwrap();
    assert_eq!((end, status(&mut journal, "c").unwrap().accepted), (RunEnd::Done, 3));
    let as_error: Error = run(journal, "none", &client, RunOptions::default()).await.unwrap_err().into();
    assert_eq!(as_error.code(), "no_campaign");
}

fn slowly() -> Settings {
    let mut settings = Settings::default();
    settings.rate = Some(40.0);
    settings
}

/// Its file is replaced, so the journal that is returned is refused too, and the file that is there now is used.
#[tokio::test]
async fn a_run_whose_journal_fails_returns_it_with_the_error() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let created = create_from_stream(scratch.journal(), "c", numbered(2000), messages(), slowly()).await;
    let client = client(sandbox.config());
    let options = RunOptions::default();
    let worker = tokio::spawn(async move { run(created.unwrap().1, "c", &client, options).await });
    while sandbox.ledger().await.len() < 5 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let moved = scratch.path().with_extension("moved");
    std::fs::rename(scratch.path(), &moved).unwrap();
    std::fs::write(scratch.path(), "").unwrap();
    let failed = tokio::time::timeout(Duration::from_secs(20), worker).await.unwrap().unwrap().unwrap_err();
    assert!(failed.error.closes_journal(), "{failed}");
    let mut journal = failed.journal.expect("its thread has not died");
    assert_eq!(status(&mut journal, "c").unwrap_err().code(), "replaced");
    drop(journal);
    std::fs::rename(moved, scratch.path()).unwrap();
    let found = status(&mut open(&scratch.url()), "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.in_flight, found.workers), (0, 0), "the end of the worker is known");
    assert!(found.accepted <= sandbox.ledger().await.len() as i64);
}

#[tokio::test]
async fn a_panic_of_on_progress_ends_the_run_and_nothing_is_sent_twice() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let created = create_from_stream(scratch.journal(), "c", numbered(100), messages(), slowly()).await;
    let client = client(sandbox.config());
    let options = RunOptions::default().on_progress(|_| panic!("a panic of the test"));
    let ended = tokio::time::timeout(Duration::from_secs(20), run(created.unwrap().1, "c", &client, options));
    let failed = ended.await.unwrap().unwrap_err();
    assert_eq!((failed.error.code(), failed.to_string()), ("task", "`on_progress` panicked".to_owned()));
    let at_end = sandbox.ledger().await.len();
    assert!(at_end < 100, "nothing is sent after the panic");
    let mut journal = failed.journal.expect("the panic of a function does not lose the journal");
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.in_flight, found.workers), (0, 0), "the end of the worker is known: {found:?}");
    let (end, mut journal) = run(journal, "c", &client, RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((end, found.pending, found.accepted + found.unknown), (RunEnd::Done, 0, 100));
    assert!(sent(&sandbox.ledger().await).values().all(|count| *count == 1));
}

#[tokio::test]
async fn a_panic_of_on_halt_is_an_error_with_the_journal() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let (_, journal) = from_stream(scratch.journal(), numbered(10)).await.unwrap();
    let client = client(sandbox.config().sms_key("not-the-key"));
    let options = RunOptions::default().on_halt(|_| panic!("a panic of the test"));
    let failed = run(journal, "c", &client, options).await.unwrap_err();
    assert_eq!((failed.error.code(), failed.to_string()), ("task", "`on_halt` panicked".to_owned()));
    assert_eq!(status(&mut failed.journal.unwrap(), "c").unwrap().state, "halted");
}

/// A run that is dropped closes its journal too.
#[tokio::test]
async fn a_run_that_is_dropped_leaves_no_lock() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let created = create_from_stream(scratch.journal(), "c", numbered(100), messages(), slowly()).await;
    let client = Arc::new(client(sandbox.config()));
    let running = run(created.unwrap().1, "c", &client, RunOptions::default());
    assert!(tokio::time::timeout(Duration::from_millis(500), running).await.is_err());
    let began = Instant::now();
    while descriptors(&scratch) > 0 {
        assert!(began.elapsed() < Duration::from_secs(20), "{} descriptors are left", descriptors(&scratch));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let found = status(&mut open(&scratch.url()), "c").unwrap();
    assert_eq!((found.in_flight, found.workers), (0, 0));
}
