//! Creates a campaign on a thread of its own, which does not block a runtime.

use std::path::Path;
use std::pin::pin;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use futures_core::Stream;
use tokio::sync::{mpsc, oneshot};

use super::create::Creation;
use crate::background;
use crate::blocking;
use crate::error::{Error, Result};
use crate::error_with_journal::ErrorWithJournal;
use crate::journal::{Journal, Settings};
use crate::settings::Messages;
use crate::source::Source;
use crate::template::Columns;

/// Rows of a stream that are passed to the thread at a time.
const BATCH: usize = 256;
/// A stream that is always ready is read for this time until other tasks run.
const TURN: Duration = Duration::from_millis(5);

/// The result of a creation: the campaign's id and notes, and the journal.
type Created = std::result::Result<(Creation, Journal), ErrorWithJournal>;

/// Reads a source to its end and stores its rows, on a thread of its own. Returns the campaign's id with notes about the rows, and the
/// journal. `digest` is the digest that [`plan`](crate::plan) returned: if the file has changed since, nothing is created.
///
/// Rows that break a rule are stored as invalid. A name of the template that a header lacks is an error; rows without a header are checked
/// one by one, so all of them may be invalid. The notes say so:
///
/// ```
/// use cpaas_campaign::journal::{OpenOptions, Settings};
/// use cpaas_campaign::source::IteratorSource;
/// use cpaas_campaign::{Columns, Messages, Template, campaign};
/// use serde_json::json;
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let url = folder.path().join("autumn.db").display().to_string();
/// let people = IteratorSource(["306912345678", "306912345679"].into_iter().map(|phone| {
///     Columns::from_iter([("phone".to_owned(), phone.into())])
/// }));
/// let template = json!({"from": "Acme", "to": "{{ mobile }}", "text": "Hi"}); // the rows have `phone`
/// let messages = Messages::new("sms.send", Template::new(template)?);
/// let journal = campaign::open_journal(&url, OpenOptions::default()).await?;
/// let (created, _) = campaign::create(journal, "autumn", people, messages, Settings::default(), None).await?;
/// assert!(created.notes[0].starts_with("2 rows are invalid: TEMPLATE (2); rows 1, 2; "));
/// assert_eq!(created.notes[1], "no row can be sent: none of 2 is valid, new and not suppressed");
/// # Ok(())
/// # }
/// ```
///
/// After an error no campaign is left. If the future is dropped, the thread removes the campaign and closes the journal after the row
/// that it reads at this moment. [`blocking::create`] is the same for programs without a runtime.
///
/// # Errors
/// As [`blocking::create`], with the journal; without it, if the source panicked.
pub async fn create(
    journal: Journal,
    name: &str,
    source: impl Source + Send + 'static,
    messages: Messages,
    settings: Settings,
    digest: Option<&str>,
) -> Created {
    let caller = Arc::new(());
    let source = Interruptible { source, caller: Arc::downgrade(&caller) };
    let created = start(journal, name, source, messages, settings, digest.map(str::to_owned))?;
    let created = received(created).await;
    drop(caller);
    created
}

/// Reads a [`Stream`] of rows to its end and stores them. At most about 2,000 rows are in memory, beside what `create` remembers of each
/// recipient to find duplicates: the stream is not polled while earlier rows wait. It is polled by the task that awaits the result, so it
/// may borrow. Returns the campaign's id with notes about the rows, as [`create`] does, and the journal.
///
/// An item that is an error ends the creation. After an error, or a panic of the stream, no campaign is left. If the future is dropped, a
/// thread removes the campaign and closes the journal.
///
/// ```
/// use cpaas_campaign::journal::{OpenOptions, Settings};
/// use cpaas_campaign::{Columns, Error, Messages, Template, campaign};
/// use futures_util::stream;
/// use serde_json::json;
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let url = folder.path().join("autumn.db").display().to_string();
/// let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}"});
/// let people = [("306912345678", "Ann"), ("306912345679", "Eva")];
/// let rows = stream::iter(people.map(|(phone, name)| {
///     let row: Columns = [("phone".to_owned(), phone.into()), ("name".to_owned(), name.into())].into_iter().collect();
///     Ok::<_, std::io::Error>(row) // for example a row of a query, whose next page may fail
/// }));
/// let messages = Messages::new("sms.send", Template::new(template)?);
/// let journal = campaign::open_journal(&url, OpenOptions::default()).await?;
/// let (created, mut journal) =
///     campaign::create_from_stream(journal, "autumn", rows, messages, Settings::default()).await?;
/// assert!(created.notes.is_empty(), "nothing to know about the rows");
/// assert_eq!(campaign::status(&mut journal, "autumn")?.pending, 2);
///
/// let rows = stream::iter([Err::<Columns, _>(std::io::Error::other("the query was cancelled"))]);
/// let messages = Messages::new("sms.send", Template::new(json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi"}))?);
/// let failed = campaign::create_from_stream(journal, "winter", rows, messages, Settings::default()).await.unwrap_err();
/// assert!(matches!(failed.error, Error::Item { row: 1, .. }));
/// assert!(failed.journal.is_some());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`blocking::create`], with the journal. [`Error::Item`]: an item is an error, which is its `source()`.
pub async fn create_from_stream<E>(
    journal: Journal,
    name: &str,
    rows: impl Stream<Item = std::result::Result<Columns, E>>,
    messages: Messages,
    settings: Settings,
) -> Created
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (sender, receiver) = mpsc::channel(1);
    let source = StreamedRows { receiver, batch: Vec::new().into_iter(), has_ended: false };
    let created = start(journal, name, source, messages, settings, None)?;
    send_rows(rows, sender).await;
    received(created).await
}

/// Starts the thread that creates the campaign.
fn start(
    journal: Journal,
    name: &str,
    mut source: impl Source + Send + 'static,
    messages: Messages,
    settings: Settings,
    digest: Option<String>,
) -> std::result::Result<oneshot::Receiver<Unclaimed>, ErrorWithJournal> {
    let name = name.to_owned();
    background::run_with("campaign-create", journal, move |mut journal| {
        let digest = digest.as_deref();
        let created = blocking::create(&mut journal, &name, &mut source, &messages, settings, digest);
        Unclaimed(Some(match created {
            Ok(creation) => Ok((creation, journal)),
            Err(error) => Err(ErrorWithJournal { error, journal: Some(journal) }),
        }))
    })
}

/// Waits for the thread.
async fn received(created: oneshot::Receiver<Unclaimed>) -> Created {
    let created = created.await.ok().and_then(|mut created| created.0.take());
    created
        .unwrap_or(Err(ErrorWithJournal { error: Error::Panicked("the source of the rows"), journal: None }))
}

/// A result that the caller has not received. If it is dropped, because the caller's future was dropped, the campaign is removed.
struct Unclaimed(Option<Created>);

impl Drop for Unclaimed {
    fn drop(&mut self) {
        let Some(created) = self.0.take() else { return };
        let work = move || {
            if let Ok((creation, mut journal)) = created {
                let _ = journal.remove_unused(&creation.id);
            }
        };
        // A runtime may drop the receiver. It must not be blocked, not even by closing the journal.
        let _ = thread::Builder::new().name("campaign-remove".to_owned()).spawn(work);
    }
}

/// A source that ends with an error when its caller does not wait any more.
struct Interruptible<S> {
    source: S,
    caller: Weak<()>,
}

fn cancelled() -> Error {
    Error::Source("the creation was cancelled".to_owned())
}

impl<S: Source> Source for Interruptible<S> {
    fn columns(&self) -> Option<&[String]> {
        self.source.columns()
    }

    fn next_row(&mut self) -> Result<Option<Columns>> {
        let row = self.source.next_row()?;
        // Compared after the row, so that a campaign is not completed either.
        if self.caller.strong_count() == 0 { Err(cancelled()) } else { Ok(row) }
    }

    fn line(&self) -> Option<u64> {
        self.source.line()
    }

    fn digest(&self) -> Option<String> {
        self.source.digest()
    }

    fn path(&self) -> Option<&Path> {
        self.source.path()
    }
}

/// Some rows of a stream; none at its end.
type Batch = Result<Vec<Columns>>;

/// Reads the stream to its end, and waits while the thread has not received the last batch. Ends early if the thread does.
async fn send_rows<E>(rows: impl Stream<Item = std::result::Result<Columns, E>>, sender: mpsc::Sender<Batch>)
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut rows = pin!(rows);
    let (mut batch, mut row, mut began) = (Vec::with_capacity(BATCH), 0, Instant::now());
    loop {
        if began.elapsed() >= TURN {
            tokio::task::yield_now().await;
            began = Instant::now();
        }
        let item = tokio::select! {
            biased;
            () = sender.closed() => return,
            item = std::future::poll_fn(|context| rows.as_mut().poll_next(context)) => item,
        };
        row += 1;
        match item {
            Some(Ok(columns)) => batch.push(columns),
            Some(Err(error)) => {
                let _ = sender.send(Err(Error::Item { row, source: error.into() })).await;
                return;
            }
            None => break,
        }
        if batch.len() == BATCH {
            let full = std::mem::replace(&mut batch, Vec::with_capacity(BATCH));
            if sender.send(Ok(full)).await.is_err() {
                return;
            }
        }
    }
    if batch.is_empty() || sender.send(Ok(batch)).await.is_ok() {
        let _ = sender.send(Ok(Vec::new())).await;
    }
}

/// The rows of a stream, on the thread that stores them.
struct StreamedRows {
    receiver: mpsc::Receiver<Batch>,
    batch: std::vec::IntoIter<Columns>,
    has_ended: bool,
}

impl Source for StreamedRows {
    fn next_row(&mut self) -> Result<Option<Columns>> {
        if let Some(row) = self.batch.next() {
            return Ok(Some(row));
        }
        if self.has_ended {
            return Ok(None);
        }
        // Without the end of the stream, its future was dropped.
        self.batch = self.receiver.blocking_recv().unwrap_or_else(|| Err(cancelled()))?.into_iter();
        let first = self.batch.next();
        self.has_ended = first.is_none();
        Ok(first)
    }
}
