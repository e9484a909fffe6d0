//! Functions that block the calling thread, for programs without an async runtime. [`campaign`](crate::campaign) has the same
//! functions for async code.

pub use crate::campaign::create::{Creation, create_noting};
use crate::campaign::store;
use crate::error::Result;
use crate::journal::{Journal, OpenOptions};
use crate::settings::{Messages, Settings};
use crate::source::Source;

/// Opens a journal: a path, `sqlite:///` and a path, or `postgres://…` with the feature `postgres`.
///
/// # Errors
/// When the journal cannot be opened, is of a newer version, or is not the one that was written last ([`Error::Copied`](crate::Error::Copied)).
pub fn open_journal(url: &str, options: OpenOptions) -> Result<Journal> {
    Journal::new(store(url, options)?)
}

/// Reads a source to its end and stores its rows. Returns the campaign's id. `digest` is the digest that [`plan`](crate::plan)
/// returned: if the file has changed since, nothing is created. After an error, or a panic of the source, no campaign is left.
///
/// ```
/// use cpaas_campaign::journal::{OpenOptions, Settings};
/// use cpaas_campaign::{Messages, Template, blocking, campaign, source::CsvSource};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let url = folder.path().join("autumn.db").display().to_string();
/// let template = serde_json::json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}"});
/// let messages = Messages::new("sms.send", Template::new(template)?);
/// let mut people = CsvSource::new("phone,name\n306912345678,Ann\n".as_bytes(), Default::default())?;
/// let mut journal = blocking::open_journal(&url, OpenOptions::default())?;
/// blocking::create(&mut journal, "autumn", &mut people, &messages, Settings::default(), None)?;
/// assert_eq!(campaign::status(&mut journal, "autumn")?.pending, 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// - [`Error::Setting`](crate::Error::Setting): the rate is not between 0.001 and 1,000,000 rows per second, the time zone is unknown, the name is
///   empty or begins with `once:`, a column to keep does not exist, or `max_spend` is set without
///   prices in one currency.
/// - [`Error::NameTaken`](crate::Error::NameTaken).
/// - [`Error::Source`](crate::Error::Source): the source cannot be read or has another digest.
/// - The journal fails.
pub fn create(
    journal: &mut Journal,
    name: &str,
    source: &mut dyn Source,
    messages: &Messages,
    settings: Settings,
    digest: Option<&str>,
) -> Result<String> {
    create_noting(journal, name, source, messages, settings, digest).map(|creation| creation.id)
}
