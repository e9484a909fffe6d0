//! Several creations of one name at the same time: one of them wins, and the others fail and leave nothing.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::support::{Scratch, create, messages, open, rows};
use cpaas_campaign::campaign::{self, status};
use cpaas_campaign::journal::{Journal, Settings};
use cpaas_campaign::source::{IteratorSource, Source};
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_campaign::{Columns, Error, Result, blocking};

/// A source that does something before its row `at`, or before its end.
struct Interrupted<S, F> {
    source: S,
    at: u64,
    act: Option<F>,
}

impl<S: Source, F: FnOnce()> Source for Interrupted<S, F> {
    fn next_row(&mut self) -> Result<Option<Columns>> {
        let row = self.source.next_row()?;
        if self.at == 0 || row.is_none() {
            self.act.take().into_iter().for_each(|act| act());
        }
        self.at = self.at.saturating_sub(1);
        Ok(row)
    }

    fn digest(&self) -> Option<String> {
        self.source.digest()
    }
}

fn interrupted<F: FnOnce()>(count: u64, at: u64, act: F) -> Interrupted<impl Source, F> {
    let source: IteratorSource<_> = rows(count);
    Interrupted { source, at, act: Some(act) }
}

/// The journal has one campaign of 20 rows, and nothing of another one.
fn assert_one_campaign(scratch: &Scratch, id: &str) {
    let mut journal = open(&scratch.url());
    let campaigns = journal.campaigns().unwrap();
    assert_eq!(campaigns.iter().map(|found| found.id.as_str()).collect::<Vec<_>>(), [id]);
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.rows, found.pending), (20, 20));
    drop(journal);
    assert_eq!(Journal::verify(&scratch.url()).unwrap().problems, []);
}

/// Before and after the first chunk of the creation that loses, and before its last one.
#[test]
fn a_creation_that_another_one_replaced_fails_and_leaves_nothing() {
    for (count, at) in [(3, 1), (3, 9), (0, 0), (1000, 1000), (2500, 500), (2500, 1500), (2500, 2600)] {
        let scratch = Scratch::new();
        let mut journal = scratch.journal();
        let mut winner = None;
        let url = scratch.url();
        let mut source = interrupted(count, at, || {
            winner = Some(create(&mut open(&url), "c", 20, Settings::default()));
        });
        let created =
            blocking::create(&mut journal, "c", &mut source, &messages(), Settings::default(), None);
        assert!(matches!(created, Err(Error::NameTaken)), "{count} {at}: {created:?}");
        drop(source);
        assert_one_campaign(&scratch, &winner.unwrap());
    }
}

/// A worker that finds a campaign whose creation has not ended must not create it again: that would replace the rows of the other program.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_during_a_creation_says_that_rows_are_being_stored() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let (url, handle) = (scratch.url(), tokio::runtime::Handle::current());
    let mut failed = None;
    let mut source = interrupted(20, 10, || {
        let sandbox = handle.block_on(cpaas_sandbox::Sandbox::builder().start()).unwrap();
        let client = crate::support::client(sandbox.config());
        failed = Some(handle.block_on(run(open(&url), "c", &client, RunOptions::default())).unwrap_err());
    });
    let id = tokio::task::block_in_place(|| {
        blocking::create(&mut journal, "c", &mut source, &messages(), Settings::default(), None).unwrap().id
    });
    drop(source);
    let failed = failed.unwrap();
    assert_eq!(failed.error.code(), "state");
    let text = failed.to_string();
    let start =
        "the campaign must be created, got creating: another program is storing its rows, or has ended";
    assert!(text.starts_with(start), "{text}");
    assert!(text.ends_with("if that program has ended, create the campaign again"), "{text}");
    assert!(text.contains("Wait while `status` shows `creating`"), "{text}");
    drop((failed, journal));
    assert_one_campaign(&scratch, &id);
}

/// The creation that was dropped ends later than the one that repeats it.
#[tokio::test(flavor = "multi_thread")]
async fn a_creation_that_was_dropped_can_be_repeated_at_once() {
    for at in [1, 1500, 9999] {
        let scratch = Scratch::new();
        let (reached, wait_for_row) = mpsc::channel();
        let (proceed, wait_for_end) = mpsc::channel::<()>();
        let source = interrupted(2500, at, move || {
            reached.send(()).unwrap();
            let _ = wait_for_end.recv();
        });
        let creation =
            campaign::create(scratch.journal(), "c", source, messages(), Settings::default(), None);
        let task = tokio::spawn(creation);
        tokio::task::block_in_place(|| wait_for_row.recv().unwrap());
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
        let id = create(&mut scratch.journal(), "c", 20, Settings::default());
        proceed.send(()).unwrap();
        // The thread closes its journal, which ends its source.
        let began = Instant::now();
        while proceed.send(()).is_ok() && began.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_one_campaign(&scratch, &id);
    }
}
